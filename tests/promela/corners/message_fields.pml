/* Messages and receives with fewer fields than the channel: errors, and the search goes on. */
chan c = [2] of { byte, byte };
active proctype P() { c!1,2; c!3 }
active proctype Q() { byte x, y; c?<x>; c?x; c?[3] -> c?x,y; assert(x == 3 && y == 0) }
