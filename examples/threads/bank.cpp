// Alice and Bob share a bank account and both go to the cash machine.
//
// Every access to the balance is protected by the mutex, tests pass, and no sanitizer complains.
// Still the bank can lose money: see what `mazurka check bank.cpp` says.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}

  int balance() {
    std::lock_guard<std::mutex> lock(mutex_);
    return balance_;
  }

  bool withdraw(int amount) {
    if (balance() < amount) return false;  // not enough money: refuse

    std::lock_guard<std::mutex> lock(mutex_);
    balance_ -= amount;
    return true;
  }

 private:
  std::mutex mutex_;
  int balance_;
};

Account account(100);

int main() {
  std::thread alice([] { account.withdraw(80); });
  std::thread bob([] { account.withdraw(50); });
  alice.join();
  bob.join();

  assert(account.balance() >= 0 && "the account must never be overdrawn");
}
