/* else beside sends and receives that meet somebody; mixed with conditions. */
byte x; chan q=[0] of {byte,byte};
active [2] proctype P() { byte a; if :: q!x,1 -> a = 1 :: q?a,1 -> a = 3 :: else -> a = 2 fi; x = a }
active proctype Q() { byte a; end: do :: q?a,_ -> x = a :: q!2,1 :: x == 2 -> break od }
