/* Readers and a writer: nobody reads while it writes. Structures, d_step, inline. */
#define READERS 3

typedef room {
  byte reading;
  bool writing
};
room library;

inline come(who) {
  d_step { !library.writing -> who = who + 1 }
}

active [READERS] proctype reader() {
  do
  :: come(library.reading);
     assert(!library.writing);
     library.reading--
  od
}

active proctype writer() {
  do
  :: d_step { library.reading == 0 -> library.writing = true };
     assert(library.reading == 0);
     library.writing = false
  od
}
