package org.cartostream.bench.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cartostream.testing.TestFiles;

/**
 * A command line in README, CONTRIBUTING or a page of docs.
 *
 * @param page the file, seen from the repository's root
 * @param text as a reader copies it; continued lines are one
 * @param program {@code cartostream}, {@code bench}, or a script, seen from the root
 * @param words what follows the program, without quotes, pipes and comments
 * @param isWhole false where only a part is spoken of, such as an option without its arguments
 */
record DocumentedCommand(
    String page, String text, String program, List<String> words, boolean isWhole) {

  private static final Pattern CONTINUED = Pattern.compile("\\\\\\n\\s*");
  private static final Pattern CODE_LINE = Pattern.compile("(?m)^ {4,}(?![*+-] )([^`\\n]+)$");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```\\w*\\n(.*?)^```$");
  private static final Pattern SPAN = Pattern.compile("`([^`]+?)`");
  private static final Pattern PROGRAM =
      Pattern.compile(
          "(?:^|[\\s/(\"])(scripts/[\\w-]+|datasets/fetch|(?<!/)(?:cartostream|bench)(?= ))(?=[\\s`]|$)([^|>#;)]*)");
  private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|'[^']*'|[^\\s\"]+");

  /** All, page by page. */
  static List<DocumentedCommand> all() throws IOException {
    List<DocumentedCommand> all = new ArrayList<>();
    for (String page : pages()) {
      read(page, all);
    }
    return all;
  }

  /** The files that users and contributors read, seen from the repository's root. */
  static List<String> pages() throws IOException {
    try (Stream<Path> docs = Files.list(TestFiles.ROOT.resolve("docs"))) {
      Stream<String> names = docs.map(page -> "docs/" + page.getFileName());
      return Stream.concat(
              Stream.of("README.md", "CONTRIBUTING.md", "datasets/README.md"), names.sorted())
          .filter(page -> page.endsWith(".md"))
          .toList();
    }
  }

  private static void read(String page, List<DocumentedCommand> all) throws IOException {
    String text = Files.readString(TestFiles.ROOT.resolve(page));
    text = CONTINUED.matcher(text).replaceAll("");
    List<String> lines = new ArrayList<>();
    FENCE.matcher(text).results().map(each -> each.group(1)).forEach(lines::add);
    String prose = FENCE.matcher(text).replaceAll("");
    CODE_LINE.matcher(prose).results().map(each -> each.group(1)).forEach(lines::add);
    lines.stream().flatMap(String::lines).forEach(line -> inBlock(page, line.strip(), all));
    // A span does not reach over an empty line.
    for (String paragraph : CODE_LINE.matcher(prose).replaceAll("").split("\\n\\s*\\n")) {
      for (MatchResult span : SPAN.matcher(paragraph).results().toList()) {
        inline(page, span.group(1).replaceAll("\\s+", " "), all);
      }
    }
  }

  private static void inBlock(String page, String line, List<DocumentedCommand> all) {
    for (MatchResult found : PROGRAM.matcher(line).results().toList()) {
      all.add(of(page, line, true, found.group(1), found.group(2)));
    }
  }

  private static void inline(String page, String span, List<DocumentedCommand> all) {
    Matcher program = PROGRAM.matcher(span);
    if (program.lookingAt()) {
      all.add(of(page, span, span.contains("scripts/"), program.group(1), program.group(2)));
    } else if (DocumentationTest.isCommand(span)) {
      all.add(
          new DocumentedCommand(page, span, "cartostream", words(span.split("[|>]")[0]), false));
    }
  }

  private static DocumentedCommand of(
      String page, String text, boolean isTyped, String program, String words) {
    boolean isProduct = program.matches("(scripts/)?(cartostream|bench)");
    String name = isProduct ? program.replace("scripts/", "") : program;
    boolean isWhole = isTyped && !words.matches(".*(…|\\.\\.\\.).*");
    return new DocumentedCommand(page, text, name, words(words), isWhole);
  }

  /** What stands for a number is one; brackets are left out, and what is in them is given. */
  private static List<String> words(String text) {
    return WORD.matcher(text.replaceAll("[\\[\\]]|…|\\.\\.\\.$|\\.\\.\\. ", " ").replace(" =", "="))
        .results()
        .map(each -> each.group().replaceAll("[\"']", ""))
        .map(word -> word.replaceAll("^(N|M|K|MB|SEED)$", "1"))
        .toList();
  }

  @Override
  public String toString() {
    return page + ": " + text;
  }
}
