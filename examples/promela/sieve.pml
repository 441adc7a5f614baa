/* The sieve of Eratosthenes: processes that start processes, and pass channels on. */
#define MAX 9

mtype = { number, eof };
byte primes;

proctype sieve(chan from; byte prime) {
  chan to = [1] of { mtype, byte };
  bool started;
  byte n;
end:
  do
  :: from?number(n) ->
     if
     :: n % prime != 0 ->
        if
        :: !started -> atomic { started = true; primes++; run sieve(to, n) }
        :: else -> to!number(n)
        fi
     :: else
     fi
  :: from?eof(_) ->
     if
     :: started -> to!eof(0)
     :: else
     fi;
     break
  od
}

init {
  chan first = [1] of { mtype, byte };
  byte i;
  atomic { primes = 1; run sieve(first, 2) };
  for (i : 3 .. MAX) {
    first!number(i)
  }
  first!eof(0);
  _nr_pr == 1 -> assert(primes >= 4)
}
