package org.cartostream.deploy.host;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A machine of a cluster, and how scripts get there.
 *
 * @param name without spaces; also the name of its folder
 * @param reach the way to it
 * @param sshConfig a file as {@code man ssh_config} has it; empty for the user's own
 * @param address under which the others, and this machine, reach what listens there
 * @param roles what it does
 * @param slots how many workers it may run; 0 without a supervisor
 */
public record Host(
    String name, Reach reach, String sshConfig, String address, Set<Role> roles, int slots) {

  private static final long SCRIPT_SECONDS = 60;

  /** Ways to a host. */
  public enum Reach {
    /** This machine, reached without ssh. */
    HERE,
    /** A network namespace of this machine, named as the host. */
    NAMESPACE,
    /** Another machine, by ssh, without a password being asked for. */
    SSH;

    /** Returns the name that {@code hosts.yaml} has. */
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

  /** True if it has the same files as this machine. */
  public boolean sharesFiles() {
    return reach != Reach.SSH;
  }

  /** The command that runs a program there. */
  public List<String> shell() {
    return switch (reach) {
      case HERE -> List.of("sh", "-s");
      case NAMESPACE -> List.of("ip", "netns", "exec", name, "sh", "-s");
      case SSH -> ssh();
    };
  }

  /**
   * Options of ssh: no question is asked, and a host that falls silent is given up after half a
   * minute.
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
   * Runs a script there that takes a moment.
   *
   * @return what it has printed
   * @throws ClusterException if the host cannot be reached or the script fails
   */
  public String run(String script) {
    return run(script, SCRIPT_SECONDS);
  }

  /** Runs a script that may take as many seconds. */
  public String run(String script, long seconds) {
    return new ShellScript(shell(), name + " (" + reach + ")").run(script, seconds);
  }

  /** A word that the shell takes as it is. */
  public static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
