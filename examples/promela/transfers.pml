/* Clerks move money between accounts, each once, with a lock per account. Nobody goes round in a
   circle, so the search can be reduced: compare --variant reach. */
#define CLERKS 4
#define ACCOUNTS 5

byte balance[ACCOUNTS] = 10;
bool locked[ACCOUNTS];
byte done;

inline lock(account) {
  atomic { !locked[account] -> locked[account] = true }
}

active [CLERKS] proctype clerk() {
  byte from = _pid;
  byte to = _pid + 1;
  byte seen;
  lock(from);
  lock(to);
  seen = balance[from];
  balance[from] = seen - 1;
  seen = balance[to];
  balance[to] = seen + 1;
  locked[to] = false;
  locked[from] = false;
  done++
}

active proctype auditor() {
  byte i, sum;
  done == CLERKS;
  for (i : 0 .. ACCOUNTS - 1) {
    sum = sum + balance[i]
  }
  assert(sum == 10 * ACCOUNTS)
}
