/* A label before for, a jump back to it, break out of an atomic option. */
byte x,y;
active [2] proctype P() { byte i; L: for (i : 0 .. 2) { x = (x + i)&3 }; if :: y == 0 -> y = 1; goto L :: else fi; do :: atomic { x > 0 -> x-- ; if :: x==1 -> break :: else fi } :: x == 0 -> break od; y=0 }
