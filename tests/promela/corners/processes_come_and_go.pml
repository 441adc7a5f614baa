/* Processes with channels of their own that are started in a loop, _nr_pr, timeout. */
byte x, n;
proctype C(byte d) { byte k = d + x; chan m = [1] of {byte}; m!k; m?k; x = k & 3 }
init { pid p; do :: n < 3 -> p = run C(n); n++ ; (_nr_pr <= p) :: n >= 3 -> break od; timeout -> assert(x < 9) }
