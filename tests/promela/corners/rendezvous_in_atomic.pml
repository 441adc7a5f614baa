/* Rendezvous in the middle of atomic sequences of both sides. */
byte x; chan c=[0] of {byte}; chan d=[0] of {byte};
active proctype P() { byte v; atomic { x++; c!1; x = x+2; d?v; x++ } ; x = v }
active proctype Q() { byte w; atomic { c?w; x = x*2; d!w; x++ }; assert(x<9) }
active proctype R() { do :: x < 5 -> x = x + 1 :: x >= 5 -> break od }
