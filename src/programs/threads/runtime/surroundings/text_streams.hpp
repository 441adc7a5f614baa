// Streams that write into memory, which the program gets in the end (open_memstream).
//
// The C library keeps the text in memory of its own. Whenever the program may look at it, it gets a
// copy in a block of its heap: checked like any other, and the program's to free.
#pragma once

#include <cstddef>
#include <cstdio>
#include <list>

namespace mazurka::threads {

class TextStreams {
 public:
  /// Null: the C library refuses.
  std::FILE* open(char** text, std::size_t* size);
  /// The stream was flushed, or (null) all were: what is in it can be seen. `code`: by whom.
  void show(const std::FILE* stream, const void* code);
  /// It was closed: the text is the program's.
  void closed(const std::FILE* stream, const void* code);
  /// Those that the execution has left open were closed.
  void forget();

 private:
  struct Stream {
    std::FILE* stream = nullptr;
    char** text = nullptr;        // of the program
    std::size_t* size = nullptr;  // ...
    char* own_text = nullptr;     // of the C library
    std::size_t own_size = 0;     // ...
    void* shown = nullptr;        // what the program was given last
  };
  static void give(Stream& one, const void* code);

  std::list<Stream> streams_;  // the C library knows where they are
};

extern TextStreams text_streams;

}  // namespace mazurka::threads
