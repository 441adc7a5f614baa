/* A loop inside of an atomic sequence, left by break, by goto, and by being blocked; an end label. */
byte x; chan q = [1] of {byte};
active [2] proctype P() {
  atomic {
    do
    :: len(q) == 0 -> q!x; x = (x + 1) % 3; if :: x == 2 -> goto out :: x == 1 -> break :: else fi
    :: q?x -> break
    od
  };
  x = 1;
out:
  x = 2; goto end1; skip;
end1:
  q?_;
progress:
  skip
}
