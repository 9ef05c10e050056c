package org.cartostream.deploy.host;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Machine of a cluster, and how scripts get there.
 *
 * @param name name without spaces; also the name of the host's folder
 * @param reach way to the host
 * @param sshConfig configuration file of ssh, as in {@code man ssh_config}; empty for the user's
 *     own
 * @param address address at which the other hosts, and this machine, reach the host's servers
 * @param roles roles of the host
 * @param slots maximum number of workers; 0 without a supervisor
 */
public record Host(
    String name, Reach reach, String sshConfig, String address, Set<HostRole> roles, int slots) {

  private static final long SCRIPT_SECONDS = 60;

  /** Way to a host. */
  public enum Reach {
    /** This machine, reached without ssh. */
    HERE,
    /** A network namespace of this machine, named as the host. */
    NAMESPACE,
    /** Another machine, reached by ssh without asking for a password. */
    SSH;

    /** Returns the name of the way in {@code hosts.yaml}. */
    @JsonValue
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    @JsonCreator
    static Reach of(String word) {
      return Arrays.stream(values())
          .filter(reach -> reach.toString().equals(word))
          .findFirst()
          .orElseThrow(
              () -> new IllegalArgumentException("'" + word + "' is no way to a host: take ssh"));
    }
  }

  /** Returns true if the host has the same files as this machine. */
  public boolean sharesFiles() {
    return reach != Reach.SSH;
  }

  /** Returns the command by which a shell on the host reads a script. */
  public List<String> shell() {
    return switch (reach) {
      case HERE -> List.of("sh", "-s");
      case NAMESPACE -> List.of("ip", "netns", "exec", name, "sh", "-s");
      case SSH -> ssh();
    };
  }

  /**
   * Returns the command of ssh: it asks no question, and gives up a host that falls silent after
   * half a minute.
   */
  private List<String> ssh() {
    List<String> command = new ArrayList<>(List.of("ssh"));
    if (!sshConfig.isEmpty()) {
      command.addAll(List.of("-F", sshConfig));
    }
    for (String option :
        List.of(
            "BatchMode=yes",
            "ConnectTimeout=10",
            "ServerAliveInterval=10",
            "ServerAliveCountMax=3")) {
      command.addAll(List.of("-o", option));
    }
    command.addAll(List.of("--", address, "sh -s")); // Nothing behind -- is an option.
    return command;
  }

  /**
   * Runs a script on the host that takes a moment.
   *
   * @return the script's output
   * @throws ClusterException if the host cannot be reached or the script fails
   */
  public String run(String script) {
    return run(script, SCRIPT_SECONDS);
  }

  /** Runs a script on the host, with a time-out; otherwise as {@link #run(String)}. */
  public String run(String script, long seconds) {
    return new ShellScript(shell(), name + " (" + reach + ")").run(script, seconds);
  }

  /** Quotes a word, so that the shell takes it as it is. */
  public static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
