// Runs the FFT on the vectors of `fftprec vectors --layout packed` and compares every bit of every
// stage and of the output: vvp fft_tb +vectors=DIR +seed=S. Prints PASS, or the first difference and
// FAIL, and then exits with 1: $finish_and_return is Icarus Verilog's.
`timescale 1ns / 1ns
module fft_tb;
  parameter LOG2N = 6;
  parameter WIDTH = 16;
  parameter FRACTION = 15;
  parameter SHIFT = 1;
  parameter CONVERGENT = 1;
  localparam N = 1 << LOG2N;

  reg clock = 0, reset = 1;
  wire stage_done, done;
  wire [7:0] stage;
  fft #(.LOG2N(LOG2N), .WIDTH(WIDTH), .FRACTION(FRACTION), .SHIFT(SHIFT), .CONVERGENT(CONVERGENT))
      subject (.clock(clock), .reset(reset), .stage_done(stage_done), .stage(stage), .done(done));
  always #5 clock = ~clock;

  reg [8*512:1] directory, file;
  reg [2*WIDTH-1:0] expected [0:N-1];
  integer i, bit_number, seed, differences, compared, opened;
  reg [LOG2N-1:0] reversed;

  task need_file;  // stops unless `file` can be read
    begin
      opened = $fopen(file, "r");
      if (opened == 0) begin
        $display("FAIL: %0s cannot be read", file);
        $finish_and_return(1);
      end
      $fclose(opened);
    end
  endtask

  task compare;  // the memory with the words of `file`
    begin
      for (i = 0; i < N; i = i + 1) expected[i] = {(2*WIDTH){1'bx}};
      need_file;
      $readmemh(file, expected);
      for (i = 0; i < N; i = i + 1) begin
        compared = compared + 1;
        // Words that no file gave are undefined, and equal to nothing.
        if (^expected[i] === 1'bx || subject.memory[i] !== expected[i]) begin
          if (differences == 0)
            $display("%0s: word %0d is %h here, %h there", file, i, subject.memory[i], expected[i]);
          differences = differences + 1;
        end
      end
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", directory)) begin
      $display("FAIL: +vectors=DIR is missing");
      $finish_and_return(1);
    end
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    differences = 0;
    compared = 0;
    $sformat(file, "%0s/twiddles.hex", directory);
    need_file;
    $readmemh(file, subject.twiddles);
    $sformat(file, "%0s/seed_%0d/input.hex", directory, seed);
    need_file;
    $readmemh(file, expected);
    for (i = 0; i < N; i = i + 1) begin
      for (bit_number = 0; bit_number < LOG2N; bit_number = bit_number + 1)
        reversed[LOG2N-1-bit_number] = i[bit_number];
      subject.memory[reversed] = expected[i];
    end
    @(negedge clock) @(negedge clock) reset = 0;
    while (!done) @(negedge clock)
      if (stage_done) begin
        $sformat(file, "%0s/seed_%0d/stage_%02d.hex", directory, seed, stage);
        compare;
      end
    $sformat(file, "%0s/seed_%0d/output.hex", directory, seed);
    compare;
    if (differences == 0 && compared == N * (LOG2N + 1))
      $display("PASS: %0d words of %0d stages and the output are equal", compared, LOG2N);
    else begin
      $display("FAIL: %0d of %0d words differ", differences, compared);
      $finish_and_return(1);
    end
    $finish;
  end
endmodule
