// A radix-2 FFT of 2^LOG2N points in place, decimation in time: one butterfly a clock. The memory
// holds {re, im}; the input is loaded in bit-reversed order. The stage with butterflies at distance
// `half` reads the twiddles half, half + 1, ..., 2 half - 1, as `fftprec vectors` writes them.
module fft #(
    parameter LOG2N = 6,
    parameter WIDTH = 16,
    parameter FRACTION = 15,
    parameter SHIFT = 1,
    parameter CONVERGENT = 1
) (
    input clock,
    input reset,
    output reg stage_done,    // for one clock, when the memory holds the data after a stage
    output reg [7:0] stage,   // the number of the stage at work, from 1 on
    output reg done
);
  localparam N = 1 << LOG2N;
  reg [2*WIDTH-1:0] memory [0:N-1];
  reg [2*WIDTH-1:0] twiddles [0:N-1];

  reg [LOG2N:0] half, k;  // of the butterfly: its distance and its number in the stage
  wire [LOG2N-1:0] place = k & (half - 1);
  wire [LOG2N-1:0] top = ((k & ~(half - 1)) << 1) | place;
  wire [LOG2N-1:0] bottom = top + half;
  wire [LOG2N-1:0] root = half + place;

  wire signed [WIDTH-1:0] top_re, top_im, bottom_re, bottom_im;
  butterfly #(.WIDTH(WIDTH), .FRACTION(FRACTION), .SHIFT(SHIFT), .CONVERGENT(CONVERGENT)) unit (
      .a_re(memory[top][2*WIDTH-1:WIDTH]), .a_im(memory[top][WIDTH-1:0]),
      .b_re(memory[bottom][2*WIDTH-1:WIDTH]), .b_im(memory[bottom][WIDTH-1:0]),
      .w_re(twiddles[root][2*WIDTH-1:WIDTH]), .w_im(twiddles[root][WIDTH-1:0]),
      .top_re(top_re), .top_im(top_im), .bottom_re(bottom_re), .bottom_im(bottom_im));

  always @(posedge clock) begin
    stage_done <= 0;
    if (reset) begin
      half <= 1;
      k <= 0;
      stage <= 1;
      done <= 0;
    end else if (!done && !stage_done) begin
      memory[top] <= {top_re, top_im};
      memory[bottom] <= {bottom_re, bottom_im};
      k <= k + 1;
      if (k == N / 2 - 1) stage_done <= 1;
    end else if (stage_done) begin
      k <= 0;
      half <= half << 1;
      stage <= stage + 1;
      if (stage == LOG2N) done <= 1;
    end
  end
endmodule
