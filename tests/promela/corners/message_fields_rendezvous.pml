/* More fields than this channel has, as many as another one has. */
chan c = [0] of { byte };
chan wide = [1] of { byte, byte, byte };
active proctype P() { c!1,2 }
active proctype Q() { byte x; c?x; wide!x,x,x; wide?x }
