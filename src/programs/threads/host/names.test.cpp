#include "programs/threads/host/names.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

TEST(Names, FunctionsAreShort) {
  EXPECT_EQ(short_function_name("main"), "main");
  EXPECT_EQ(short_function_name("withdraw(int)"), "withdraw");
  EXPECT_EQ(short_function_name("void ns::push<int>(ns::Queue<int>&)"), "ns::push");
  EXPECT_EQ(short_function_name("Queue<int>::pop() const"), "Queue::pop");
  EXPECT_EQ(short_function_name("(anonymous namespace)::worker(void*)"), "worker");
  EXPECT_EQ(short_function_name("main::{lambda()#1}::operator()() const"), "lambda in main");
  EXPECT_EQ(short_function_name("Guard::operator()(int)"), "Guard::operator()");
  EXPECT_EQ(short_function_name(demangled("_ZN7Counter3addEi")), "Counter::add");
}

TEST(Names, ReservedOnesAreTheImplementations) {
  EXPECT_TRUE(is_reserved_name("_M_impl"));
  EXPECT_TRUE(is_reserved_name("__data"));
  EXPECT_FALSE(is_reserved_name("_private"));
  EXPECT_FALSE(is_reserved_name("balance"));
}

TEST(Names, SystemFiles) {
  EXPECT_TRUE(is_system_file("/usr/include/c++/12/bits/std_thread.h"));
  EXPECT_TRUE(is_system_file("./nptl/pthread_create.c"));
  EXPECT_FALSE(is_system_file("/home/me/bank.cpp"));
  EXPECT_FALSE(is_system_file("bank.cpp"));
}

}  // namespace
}  // namespace mazurka::threads
