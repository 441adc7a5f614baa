/* Selections and loops as first statements of options, jumps as options, skips in a row. */
byte x, y;
active proctype A() { do :: true -> if :: x < 2 -> x++ :: goto done fi :: y == 1 -> break od; done: if :: skip; skip; skip :: printf("q"); skip; skip; y = 1 fi }
active proctype B() { if :: if :: x == 1 :: x == 2 fi -> y = 1 :: do :: x == 2 -> break :: y == 0 -> y = 2 od fi; assert(y) }
