/* A jump into the middle of an atomic sequence. */
byte x;
active [2] proctype P() { byte i; if :: x==0 -> goto in :: else -> skip fi; atomic { x++; in: x = x+2; i = x; x-- }; x = i }
