package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Every config, in the order of the space. It goes on after the last config of the history and does not walk what lies
 * before it; a history that is not in the order of the space was not asked by this strategy, and then it starts at the
 * front.
 */
public final class ExhaustiveStrategy implements SearchStrategy {

    @Override
    public String name() {
        return "exhaustive";
    }

    @Override
    public boolean learns() {
        return false;
    }

    @Override
    public List<Config> ask(SearchSpace space, History history, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, got " + count);
        }
        List<Config> asked = history.asked().stream().map(History.Asked::config).toList();
        if (asked.isEmpty()) {
            return space.configs().limit(count).toList();
        }
        Stream<Config> rest = inOrder(space, asked) ? space.configsAfter(asked.getLast()) : space.configs();
        Set<Config> known = history.configs();
        return rest.filter(config -> !known.contains(config)).limit(count).toList();
    }

    private static boolean inOrder(SearchSpace space, List<Config> asked) {
        for (int i = 0; i < asked.size(); i++) {
            if (!isPoint(space, asked.get(i)) || i > 0 && !isBefore(space, asked.get(i - 1), asked.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isPoint(SearchSpace space, Config config) {
        return space.parameters().stream()
                .allMatch(parameter ->
                        config.has(parameter.name()) && parameter.values().contains(config.value(parameter.name())));
    }

    private static boolean isBefore(SearchSpace space, Config first, Config second) {
        for (Parameter parameter : space.parameters()) {
            int order = Integer.compare(
                    parameter.values().indexOf(first.value(parameter.name())),
                    parameter.values().indexOf(second.value(parameter.name())));
            if (order != 0) {
                return order < 0;
            }
        }
        return false;
    }
}
