/* Labels inside of an inline that is called twice, loops in d_step, values that wrap around. */
byte x; unsigned u : 3; short s;
inline f(v) { skip; again: if :: v > 3 -> v = v - 3; goto again :: else fi }
active [2] proctype P() { x = x + 5; f(x); u = u + x; s = s - 20000; f(x); d_step { do :: x > 0 -> x-- :: x == 0 -> break od; u++ } }
