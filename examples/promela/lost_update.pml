/* Two processes count without a lock: an update gets lost. */
byte counter;
byte done;

active [2] proctype P() {
  byte seen;
  seen = counter;
  counter = seen + 1;
  done++
}

active proctype watcher() {
  done == 2 -> assert(counter == 2)
}
