#include "programs/threads/runtime/surroundings/text_streams.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "programs/threads/runtime/machine/native.hpp"
#include "programs/threads/runtime/teller.hpp"

namespace mazurka::threads {

TextStreams text_streams;

std::FILE* TextStreams::open(char** text, std::size_t* size) {
  Stream* one = nullptr;
  {
    const EngineScope scope;
    one = &streams_.emplace_back();
  }
  one->text = text;
  one->size = size;
  one->stream = natively<std::FILE*>("open_memstream", &one->own_text, &one->own_size);
  return one->stream;
}

void TextStreams::give(Stream& one, const void* code) {
  std::free(one.shown);
  auto* const copy = static_cast<char*>(std::malloc(one.own_size + 1));
  one.shown = copy;
  if (copy == nullptr) return;
  const Teller teller(code);
  teller.write(copy, one.own_size + 1);
  teller.write(one.text, sizeof *one.text);
  teller.write(one.size, sizeof *one.size);
  const EngineScope scope;
  std::memcpy(copy, one.own_text, one.own_size);
  copy[one.own_size] = '\0';
  *one.text = copy;
  *one.size = one.own_size;
}

void TextStreams::show(const std::FILE* stream, const void* code) {
  for (Stream& one : streams_) {
    if (one.own_text != nullptr && (stream == nullptr || one.stream == stream)) give(one, code);
  }
}

void TextStreams::closed(const std::FILE* stream, const void* code) {
  const auto one = std::find_if(streams_.begin(), streams_.end(),
                                [&](const Stream& known) { return known.stream == stream; });
  if (one == streams_.end()) return;
  give(*one, code);
  __libc_free(one->own_text);
  const EngineScope scope;
  streams_.erase(one);
}

void TextStreams::forget() {
  for (const Stream& one : streams_) __libc_free(one.own_text);
  streams_.clear();
}

}  // namespace mazurka::threads
