// notebook: notes on the volume. It writes below /volume/tmp, keeps what shall
// stay below /volume/data, takes its template from /package and reads /skills.
// Its digest takes a few seconds and tells on stderr how far it is.

#include <time.h>

#include <string>
#include <vector>

#include "files.hpp"
#include "mcp.h"

using std::string;

namespace {

const char discover[] =
    R"({"resultType":"complete","supportedVersions":[")" MCP_VERSION
    R"("],"capabilities":{"tools":{}},"ttlMs":3600000,"cacheScope":"public"})";

#define NAME R"("name":{"type":"string","pattern":"^[a-z0-9-]{1,40}$","description":"The note's name."})"

const char list[] =
    R"({"resultType":"complete","tools":[)"
    R"({"name":"write","description":"Write a note, from the template in the package.",)"
    R"("inputSchema":{"type":"object","properties":{)" NAME R"(,"text":{"type":"string"}},"required":["name","text"]}},)"
    R"({"name":"list","description":"List the notes, and where they are.","inputSchema":{"type":"object"},)"
    R"("annotations":{"readOnlyHint":true}},)"
    R"({"name":"read","description":"Read a note.",)"
    R"("inputSchema":{"type":"object","properties":{)" NAME R"(},"required":["name"]},"annotations":{"readOnlyHint":true}},)"
    R"({"name":"keep","description":"Move a note to the data of the agent, where it stays.",)"
    R"("inputSchema":{"type":"object","properties":{)" NAME R"(},"required":["name"]}},)"
    R"({"name":"skills","description":"List the skills that are mounted.","inputSchema":{"type":"object"},)"
    R"("annotations":{"readOnlyHint":true}},)"
    R"({"name":"digest","description":"Read everything, slowly, and write a digest of it.",)"
    R"("inputSchema":{"type":"object","properties":{)"
    R"("steps":{"type":"integer","minimum":1,"maximum":20,"default":5},)"
    R"("pause_ms":{"type":"integer","minimum":0,"maximum":5000,"default":500}}}})"
    R"(],"ttlMs":3600000,"cacheScope":"public"})";

const string tmp = "/volume/tmp", data = "/volume/data", package = "/package", skills_folder = "/skills";

string quoted(const string &text) {
  bytes b = {};
  bytes_quote(&b, span_of(text.data(), text.size()));
  string out(b.at, b.len);
  free(b.at);
  return out;
}

string decoded(span value) {
  string out(value.len, 0);
  out.resize(json_decode(value, &out[0]));
  return out;
}

void answer(mcp_result *r, const string &value) { bytes_add(&r->structured, value.data(), value.size()); }
void fail(mcp_result *r, const string &why) { bytes_add(&r->error, why.data(), why.size()); }
void log(const string &text) { mcp_log(("notebook: " + text + "\n").c_str()); }

string note_in(const string &folder, const string &name) { return folder + "/" + name + ".md"; }

// The note's name, or "" after saying what is wrong with it.
string name_of(span arguments, mcp_result *r) {
  span value = json_get(arguments, "name");
  string name = json_is_string(value) ? decoded(value) : "";
  bool good = !name.empty() && name.size() <= 40;
  for (char c : name) good = good && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
  if (good) return name;
  fail(r, "name must be 1 to 40 characters of a-z 0-9 -");
  return "";
}

// Where the note is: kept, or not yet; "" when there is none.
string find(const string &name) {
  for (const string &folder : {data, tmp})
    if (files::exists(note_in(folder, name))) return note_in(folder, name);
  return "";
}

void replace(string &text, const string &what, const string &with) {
  size_t at = text.find(what);
  if (at != string::npos) text.replace(at, what.size(), with);
}

void write_note(span arguments, mcp_result *r) {
  string name = name_of(arguments, r);
  span text = json_get(arguments, "text");
  if (name.empty()) return;
  if (!json_is_string(text)) return fail(r, "text must be a string");
  string note;
  if (!files::read(package + "/template.md", note)) {
    log("/package/template.md: " + files::why() + "; the note goes without a template");
    note = "{text}\n";
  }
  replace(note, "{name}", name);
  replace(note, "{text}", decoded(text));
  string path = note_in(tmp, name);
  if (!files::write(path, note)) return fail(r, path + ": " + files::why());
  log("wrote " + path);
  answer(r, "{\"path\":" + quoted(path) + ",\"bytes\":" + std::to_string(note.size()) + "}");
}

void list_notes(mcp_result *r) {
  string all;
  for (const string &folder : {tmp, data}) {
    for (const string &file : files::names(folder)) {
      string path = folder + "/" + file;
      if (!all.empty()) all += ",";
      all += "{\"path\":" + quoted(path) + ",\"bytes\":" + std::to_string(files::size(path)) +
             ",\"kept\":" + (folder == data ? "true" : "false") + "}";
    }
  }
  answer(r, "{\"notes\":[" + all + "]}");
}

void read_note(span arguments, mcp_result *r) {
  string name = name_of(arguments, r);
  if (name.empty()) return;
  string path = find(name), text;
  if (path.empty()) return fail(r, "there is no note " + name);
  if (!files::read(path, text)) return fail(r, path + ": " + files::why());
  answer(r, "{\"path\":" + quoted(path) + ",\"text\":" + quoted(text) + "}");
}

void keep(span arguments, mcp_result *r) {
  string name = name_of(arguments, r);
  if (name.empty()) return;
  if (!files::exists(data)) return fail(r, "there is no /volume/data: the agent has not enabled it");
  string from = note_in(tmp, name), to = note_in(data, name), text;
  if (!files::exists(from)) return fail(r, "there is no note " + name + " to keep");
  if (rename(from.c_str(), to.c_str()) != 0) {
    if (errno != EXDEV) return fail(r, from + ": " + files::why());
    // Two file systems: copy, then remove.
    if (!files::read(from, text) || !files::write(to, text) || unlink(from.c_str()) != 0)
      return fail(r, to + ": " + files::why());
  }
  log("kept " + to);
  answer(r, "{\"path\":" + quoted(to) + "}");
}

string first_line(const string &path) {
  string text;
  if (!files::read(path, text)) return "";
  return text.substr(0, text.find('\n'));
}

void list_skills(mcp_result *r) {
  string all;
  for (const string &name : files::names(skills_folder)) {
    if (!all.empty()) all += ",";
    all += "{\"name\":" + quoted(name) + ",\"begins\":" + quoted(first_line(skills_folder + "/" + name + "/SKILL.md")) + "}";
  }
  answer(r, "{\"skills\":[" + all + "]}");
}

// A whole number between two bounds; the default when it is absent, -1 when it
// is something else.
long whole(span value, long low, long high, long otherwise) {
  if (!value.at) return otherwise;
  long n = 0;
  if (value.len > 5) return -1;
  for (size_t i = 0; i < value.len; i++) {
    if (value.at[i] < '0' || value.at[i] > '9') return -1;
    n = n * 10 + (value.at[i] - '0');
  }
  return n < low || n > high ? -1 : n;
}

// Everything there is to read.
std::vector<string> sources() {
  std::vector<string> all;
  for (const string &folder : {tmp, data, package})
    for (const string &name : files::names(folder))
      if (name != "digest.md") all.push_back(folder + "/" + name);
  for (const string &name : files::names(skills_folder)) all.push_back(skills_folder + "/" + name + "/SKILL.md");
  return all;
}

void pause(long ms) {
  struct timespec t = {ms / 1000, (ms % 1000) * 1000000};
  nanosleep(&t, nullptr);
}

// One source goes into the draft.
bool digest_step(const string &draft, const string &path) {
  string text;
  if (!files::read(path, text)) text = files::why();
  return files::write(draft, "## " + path + "\n\n" + text.substr(0, text.find("\n\n")) + "\n\n", true);
}

void digest(span arguments, mcp_result *r) {
  long steps = whole(json_get(arguments, "steps"), 1, 20, 5);
  long ms = whole(json_get(arguments, "pause_ms"), 0, 5000, 500);
  if (steps < 0) return fail(r, "steps must be a whole number from 1 to 20");
  if (ms < 0) return fail(r, "pause_ms must be a whole number from 0 to 5000");
  std::vector<string> all = sources();
  string draft = tmp + "/digest.part", path = tmp + "/digest.md";
  if (!files::write(draft, "# Digest\n\n")) return fail(r, draft + ": " + files::why());
  for (long i = 0; i < steps; i++) {
    string source = all.empty() ? package : all[(size_t)i % all.size()];
    log("step " + std::to_string(i + 1) + " of " + std::to_string(steps) + ": " + source);
    if (!digest_step(draft, source)) return fail(r, draft + ": " + files::why());
    pause(ms);
  }
  if (rename(draft.c_str(), path.c_str()) != 0) return fail(r, path + ": " + files::why());
  log("done");
  answer(r, "{\"path\":" + quoted(path) + ",\"bytes\":" + std::to_string(files::size(path)) +
                ",\"steps\":" + std::to_string(steps) + "}");
}

bool call(span tool, span arguments, mcp_result *r) {
  if (json_is(tool, "write")) write_note(arguments, r);
  else if (json_is(tool, "list")) list_notes(r);
  else if (json_is(tool, "read")) read_note(arguments, r);
  else if (json_is(tool, "keep")) keep(arguments, r);
  else if (json_is(tool, "skills")) list_skills(r);
  else if (json_is(tool, "digest")) digest(arguments, r);
  else return false;
  return true;
}

}  // namespace

int main() {
  static const mcp_server server = {discover, list, R"("resultType":"complete",)", call};
  return mcp_serve(&server);
}
