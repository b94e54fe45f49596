// Files by their absolute names, as ABI 1 wants them opened. It knows nothing
// of notes or tools.
#pragma once

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

namespace files {

// Why the last of these functions did not do its work.
inline std::string why() { return strerror(errno); }

inline bool read(const std::string &path, std::string &to) {
  int fd = open(path.c_str(), O_RDONLY);
  if (fd < 0) return false;
  to.clear();
  char chunk[4096];
  ssize_t n;
  while ((n = ::read(fd, chunk, sizeof chunk)) > 0) to.append(chunk, (size_t)n);
  close(fd);
  return n == 0;
}

inline bool write_all(int fd, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    ssize_t n = ::write(fd, text.data() + at, text.size() - at);
    if (n <= 0) return false;
    at += (size_t)n;
  }
  return true;
}

// Writes a file, or the end of one.
inline bool write(const std::string &path, const std::string &text, bool append = false) {
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC), 0644);
  if (fd < 0) return false;
  bool done = write_all(fd, text);
  return close(fd) == 0 && done;
}

inline bool exists(const std::string &path) {
  struct stat s;
  return stat(path.c_str(), &s) == 0;
}

inline long long size(const std::string &path) {
  struct stat s;
  return stat(path.c_str(), &s) == 0 ? (long long)s.st_size : -1;
}

// The names in a folder, sorted; none when it is not there.
inline std::vector<std::string> names(const std::string &folder) {
  std::vector<std::string> all;
  DIR *dir = opendir(folder.c_str());
  if (!dir) return all;
  while (struct dirent *entry = readdir(dir))
    if (entry->d_name[0] != '.') all.push_back(entry->d_name);
  closedir(dir);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace files
