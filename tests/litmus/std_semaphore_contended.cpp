// mazurka: verdict=finding finding=deadlock also=levels techniques="optimal source"
//
// Two threads take turns by a semaphore with one token. The semaphore of libstdc++ 12 can make a
// thread sleep for ever: it goes to sleep on the number that it has seen first, not on the one that
// it could not take a token from, and if the token has come back meanwhile the two are the same.
// (Mended in later versions of the library.)
#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<2> token(1);
  const auto body = [&] {
    token.acquire();
    token.release();
  };
  const std::jthread first(body);
  const std::jthread second(body);
}
