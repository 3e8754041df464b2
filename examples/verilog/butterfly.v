// A butterfly of decimation in time in fixed point, as fftprec computes it in mode q1.F with
// scale=stage:1/2: both operands are shifted to the right by SHIFT bits, b is multiplied by w, and
// (a, b) becomes (a + w b, a - w b). Each part is rounded once after the shift and once after the sum
// of its two products, which is exact; every result saturates.
module butterfly #(
    parameter WIDTH = 16,      // bits of a part
    parameter FRACTION = 15,   // fraction bits of w
    parameter SHIFT = 1,       // 0 or 1
    parameter CONVERGENT = 1   // 1: to nearest, ties to even (casts=rne); 0: cut (casts=rd)
) (
    input  signed [WIDTH-1:0] a_re, a_im, b_re, b_im, w_re, w_im,
    output signed [WIDTH-1:0] top_re, top_im, bottom_re, bottom_im
);
  localparam signed [WIDTH-1:0] MOST = {1'b0, {(WIDTH-1){1'b1}}};
  localparam signed [WIDTH-1:0] LEAST = {1'b1, {(WIDTH-1){1'b0}}};

  function signed [WIDTH-1:0] shifted(input signed [WIDTH-1:0] x);
    reg up;
    begin
      up = CONVERGENT && x[0] && x[1];  // every rest is a tie
      shifted = SHIFT ? (x >>> 1) + $signed({1'b0, up}) : x;
    end
  endfunction

  function signed [WIDTH-1:0] saturated(input signed [2*WIDTH:0] x);
    saturated = x > MOST ? MOST : x < LEAST ? LEAST : x[WIDTH-1:0];
  endfunction

  function signed [WIDTH-1:0] rounded(input signed [2*WIDTH:0] product);
    reg signed [2*WIDTH:0] cut;
    reg [FRACTION-1:0] rest;
    reg up;
    begin
      cut = product >>> FRACTION;
      rest = product[FRACTION-1:0];
      up = CONVERGENT && rest[FRACTION-1] && (rest[FRACTION-2:0] != 0 || cut[0]);
      rounded = saturated(cut + $signed({1'b0, up}));
    end
  endfunction

  wire signed [WIDTH-1:0] a_re_shifted = shifted(a_re), a_im_shifted = shifted(a_im);
  wire signed [WIDTH-1:0] b_re_shifted = shifted(b_re), b_im_shifted = shifted(b_im);
  wire signed [2*WIDTH:0] product_re = w_re * b_re_shifted - w_im * b_im_shifted;
  wire signed [2*WIDTH:0] product_im = w_re * b_im_shifted + w_im * b_re_shifted;
  wire signed [WIDTH-1:0] turned_re = rounded(product_re), turned_im = rounded(product_im);

  assign top_re = saturated(a_re_shifted + turned_re);
  assign top_im = saturated(a_im_shifted + turned_im);
  assign bottom_re = saturated(a_re_shifted - turned_re);
  assign bottom_im = saturated(a_im_shifted - turned_im);
endmodule
