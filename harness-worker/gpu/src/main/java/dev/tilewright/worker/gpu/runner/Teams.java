package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.link.runner.RunnerRequest.Entrant;
import dev.tilewright.worker.link.runner.RunnerRequest.RunFinal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The teams of a final, and which contenders were not called yet. Kernels that do not race need not be loaded. */
final class Teams {

    private final Map<Integer, Deque<Entrant>> waiting = new LinkedHashMap<>();
    private final int finalists;

    private Teams(int finalists) {
        this.finalists = finalists;
    }

    static Teams of(RunFinal round) {
        Teams teams = new Teams(round.finalists());
        for (Entrant entrant : round.arms()) {
            teams.waiting
                    .computeIfAbsent(entrant.team(), _ -> new ArrayDeque<>())
                    .add(entrant);
        }
        return teams;
    }

    /** Calls one contender of each team, or all of them if all may reach the final. */
    List<Entrant> firsts() {
        int all = waiting.values().stream().mapToInt(Deque::size).sum();
        List<Entrant> called = new ArrayList<>();
        waiting.values().forEach(team -> {
            do {
                called.add(team.remove());
            } while (all <= finalists && !team.isEmpty());
        });
        return called;
    }

    /** Calls the next contender of each team of which none takes part. */
    List<Entrant> replacements(List<Competitor> running) {
        Set<Integer> there = running.stream().map(Competitor::team).collect(Collectors.toSet());
        return waiting.entrySet().stream()
                .filter(team -> !there.contains(team.getKey()))
                .map(team -> team.getValue().poll())
                .filter(Objects::nonNull)
                .toList();
    }

    /** Calls others of the teams of those that lead, one of each in turn, the leader's first. */
    List<Entrant> others(List<Competitor> leading, int most) {
        List<Deque<Entrant>> teams = leading.stream()
                .map(Competitor::team)
                .distinct()
                .map(waiting::get)
                .toList();
        List<Entrant> called = new ArrayList<>();
        while (called.size() < most && teams.stream().anyMatch(team -> !team.isEmpty())) {
            teams.stream()
                    .filter(team -> !team.isEmpty())
                    .limit(most - called.size())
                    .map(Deque::remove)
                    .forEach(called::add);
        }
        return called;
    }

    /** Whether all contenders were called. */
    boolean isEmpty() {
        return waiting.values().stream().allMatch(Deque::isEmpty);
    }
}
