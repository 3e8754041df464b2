# R's fft for fftprec: a program of docs/programs.md. Run it by: Rscript adapter.R
input <- file("stdin", "rb")
output <- pipe("cat", "wb")  # R has no binary standard output
say <- function(...) writeBin(charToRaw(paste0(..., "\n")), output)
say("fftprec-program 1 ", R.version.string)
flush(output)
while (length(line <- readLines(input, 1)) > 0) {
  word <- strsplit(line, " ")[[1]]  # transform, lengths, direction, format, batch, bytes
  bytes <- as.integer(word[6])
  if (word[1] != "fft" || grepl("x", word[2]) || word[4] != "fp64") {
    invisible(readBin(input, "raw", bytes))
    say("no only fft of one axis in fp64")
  } else {
    n <- as.integer(word[2])
    parts <- matrix(readBin(input, "double", bytes / 8, endian = "little"), 2)
    x <- matrix(complex(real = parts[1, ], imaginary = parts[2, ]), n)
    inverse <- word[3] == "inverse"
    y <- mvfft(x, inverse)
    say("ok ", word[6], if (inverse) paste0(" ", n) else "")  # R's inverse is n times as large
    writeBin(as.double(rbind(Re(c(y)), Im(c(y)))), output, endian = "little")
  }
  flush(output)
}
