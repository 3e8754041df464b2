# tcllib's math::fourier in double: complex of one axis, powers of two. Its inverse divides.
package require math::fourier

fconfigure stdin -translation binary
fconfigure stdout -translation binary
puts "fftprec-program 1 tcllib math::fourier [package version math::fourier]"
puts -nonewline ""
flush stdout
while {[gets stdin line] >= 0} {
  lassign $line transform lengths direction format batch size
  set bytes [read stdin $size]
  if {$transform ne "fft" || $format ne "fp64" || [string first x $lengths] >= 0} {
    puts "no only fft of one axis in fp64"
  } elseif {($lengths & ($lengths - 1)) || $lengths > 16384} {
    puts "no needs n = 2^k <= 16384, since longer ones take seconds"
  } else {
    puts "ok $size"
    binary scan $bytes q* values
    set per_item [expr {2 * $lengths}]
    for {set at 0} {$at < [llength $values]} {incr at $per_item} {
      set item {}
      foreach {re im} [lrange $values $at [expr {$at + $per_item - 1}]] {lappend item [list $re $im]}
      set call [expr {$direction eq "inverse" ? "inverse_dft" : "dft"}]
      foreach pair [math::fourier::$call $item] {puts -nonewline [binary format q2 $pair]}
    }
  }
  flush stdout
}
