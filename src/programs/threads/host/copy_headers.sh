#!/bin/sh
# copy_headers.sh COMPILER FOLDER: changed copies of two headers of the compiler's C++ library, to
# be found before the originals (-isystem FOLDER). Before it waits, std::atomic::wait looks sixteen
# times, and each look would be a step of its own: here it looks once. Who notifies looks whether
# anybody waits, with nothing that keeps this look behind the program's own write: here a fence does,
# as the standard promises that whoever waits is woken. And the load of an atomic shared pointer
# unlocks with relaxed order, which is a data race in each program that uses it: here it releases.
# A library without such a header needs no copy of it. FOLDER/made is there, and newer than this
# script, when all copies are.
set -eu
compiler=$1
folder=$2/bits

mkdir -p "$folder"
for name in atomic_wait shared_ptr_atomic; do
  header=$("$compiler" -x c++ -std=c++20 -M -include memory -include "bits/$name.h" /dev/null \
    2>/dev/null | tr -d '\\' | tr ' ' '\n' | grep "/bits/$name\.h$" | head -n 1) || continue
  copy=$folder/$name.h
  sed -e 's/\(__atomic_spin_count = \)[0-9]*;/\11;/' \
    -e 's/__atomic_load(&_M_wait,/__atomic_thread_fence(__ATOMIC_SEQ_CST); &/' \
    -e 's/\.unlock(memory_order_relaxed)/.unlock(memory_order_release)/' "$header" > "$copy.$$"
  # Several compilations may be at it at the same time; and what is as it was stays as old as it is.
  if cmp -s "$copy.$$" "$copy"; then rm "$copy.$$"; else mv "$copy.$$" "$copy"; fi
done
touch "$2/made"
