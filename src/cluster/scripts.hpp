// What the server does in one piece.
//
// All that is known of a search is on the server, under keys that begin with its id:
//
//   mazurka:ID            what it is, its state, all that the results came to, what workers did
//   mazurka:ID:tasks      a stream with a consumer group: the tasks that are open
//   mazurka:ID:rest:N     explorations, each cut into the tasks that name it (part of parts)
//   mazurka:binary:HASH   the program
//   mazurka:searches, mazurka:current:NAME, mazurka:binary:HASH:searches, mazurka:slots
//
// A server may throw keys away, one at a time. What decides the verdict is therefore one key, a
// hash: all of it is there or nothing. It says how many fields it has and how many tasks are open,
// and each script compares that with what is there, before it does anything. When a key is gone it
// answers LOST with the name of the key. The keys in the last line only lead to searches: they are
// made again.
//
// A task is open as long as its entry is in the stream. A result takes the entry out, adds its
// numbers and puts in what is left, all in one script: the server performs it as a whole or not at
// all, also in its log on disk. So whatever is lost, repeated or late, every task is counted once.
//
// Every script may be performed twice: an answer can get lost.
#pragma once

#include <string>

namespace mazurka::cluster::scripts {

extern const std::string put;      // a new search, with the result of its first task
extern const std::string take;     // a task, for whoever has nothing to do
extern const std::string finish;   // the result of a task
extern const std::string release;  // a task back, undone
extern const std::string beat;     // who has a task is alive
extern const std::string refuse;   // why a worker can not take part
extern const std::string stop;     // no more tasks are handed out ...
extern const std::string go_on;    // ... until now
extern const std::string remove;   // the search is forgotten
extern const std::string view;     // where it stands, and with 'whole' the findings

}  // namespace mazurka::cluster::scripts
