/* Sequences inside of each other, and as options. */
byte x;
active [2] proctype P() { atomic { atomic { x++; x++ }; d_step { x++; x-- }; { x = 1; x = 2 } }; if :: atomic { x==2 -> x = 0; { skip; x = 3 } } :: { x == 3; x = 4 } :: d_step { x == 4 -> x = 5 } :: else fi; assert(x) }
