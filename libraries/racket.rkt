#lang racket/base
; Racket's math/array in double: complex of any number of axes, powers of two. Its inverse divides.
(require math/array racket/math racket/string)

(define (say . words)
  (write-string (apply string-append words))
  (newline))
(define (part bytes i) (floating-point-bytes->real bytes #f (* 8 i) (* 8 (add1 i))))

(say "fftprec-program 1 Racket " (version))
(flush-output)
(let loop ()
  (define line (read-line))
  (unless (eof-object? line)
    (define words (string-split line))
    (define-values (transform inverse format) (values (car words) (caddr words) (cadddr words)))
    (define lengths (list->vector (map string->number (string-split (cadr words) "x"))))
    (define size (string->number (list-ref words 5)))
    (define bytes (if (zero? size) #"" (read-bytes size)))
    (define points (apply * (vector->list lengths)))
    (cond
      [(not (and (equal? transform "fft") (equal? format "fp64"))) (say "no only fft in fp64")]
      [(or (for/or ([n lengths]) (not (= n (expt 2 (sub1 (integer-length n)))))) (> points 65536))
       (say "no needs n = 2^k <= 65536, since longer ones take seconds")]
      [else
       (say "ok " (number->string size))
       (for ([item (in-range (quotient size (* 16 points)))])
         (define (value i)
           (define at (* 2 (+ i (* item points))))
           (make-rectangular (part bytes at) (part bytes (add1 at))))
         (define x (list->array lengths (for/list ([i points]) (value i))))
         (for ([y (in-array (if (equal? inverse "inverse") (array-inverse-fft x) (array-fft x)))])
           (write-bytes (real->floating-point-bytes (real->double-flonum (real-part y)) 8 #f))
           (write-bytes (real->floating-point-bytes (real->double-flonum (imag-part y)) 8 #f))))])
    (flush-output)
    (loop)))
