package dev.tilewright.proof.bundle;

import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleParameter;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Draws configs of a bundle.
 *
 * @param settings the only values of some parameters
 */
public record ConfigDraw(Bundle bundle, int sms, Map<String, List<ParameterValue>> settings, long seed) {

    /** @throws BundleException if there is no such parameter or value */
    public ConfigDraw {
        settings = Map.copyOf(settings);
        settings.forEach((name, values) -> {
            BundleParameter known = bundle.parameters().stream()
                    .filter(parameter -> parameter.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new BundleException("there is no parameter '" + name + "'; known: "
                            + bundle.parameters().stream()
                                    .map(BundleParameter::name)
                                    .toList()));
            values.stream()
                    .filter(value -> !known.values().contains(value))
                    .findFirst()
                    .ifPresent(value -> {
                        throw new BundleException(name + " must be one of " + known.values() + ", got " + value);
                    });
        });
    }

    /**
     * Configs, each with those of the problems that its constraints allow.
     *
     * @param most how many, drawn at random; empty for all
     */
    public Map<Config, List<Problem>> of(List<Problem> problems, Optional<Integer> most) {
        List<Config> found = problems.stream()
                .flatMap(problem -> bundle.configs(problem, sms))
                .filter(this::isAsked)
                .distinct()
                .toList();
        List<Config> chosen = most.filter(limit -> limit < found.size())
                .map(limit -> drawn(found, limit))
                .orElse(found);
        Map<Config, List<Problem>> configs = new LinkedHashMap<>();
        chosen.forEach(config -> configs.put(
                config,
                problems.stream()
                        .filter(problem ->
                                bundle.violation(problem, sms, config).isEmpty())
                        .toList()));
        return configs;
    }

    private boolean isAsked(Config config) {
        return settings.entrySet().stream()
                .allMatch(setting -> setting.getValue().contains(config.value(setting.getKey())));
    }

    private List<Config> drawn(List<Config> all, int count) {
        List<Config> left = new ArrayList<>(all);
        SplittableRandom random = new SplittableRandom(seed);
        List<Config> drawn = new ArrayList<>();
        while (drawn.size() < count) {
            drawn.add(left.remove(random.nextInt(left.size())));
        }
        return drawn;
    }
}
