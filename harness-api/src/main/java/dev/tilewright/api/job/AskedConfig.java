package dev.tilewright.api.job;

import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.study.SpaceRestriction;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.families.ConfigText;
import dev.tilewright.space.family.AskedSpace;
import dev.tilewright.space.family.FamilySpace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one config that a job tries, if it names one.
 *
 * @param family of the config, or that of the job; {@code null} for that of the device
 * @param words {@code null} for a job that searches
 */
record AskedConfig(
        StudySpaces spaces,
        @Nullable String family,
        @Nullable String words) {

    private static final String POINTER = "/config";

    /** Reads as much as can be read without the family. */
    static AskedConfig of(StudySpaces spaces, JobRequest request, List<Fault> faults) {
        if (request.config() == null) {
            return new AskedConfig(spaces, request.family(), null);
        }
        boolean others = request.parameters() != null && !request.parameters().isEmpty()
                || request.schedulers() != null && !request.schedulers().isEmpty();
        if (others) {
            faults.add(new Fault(POINTER, "names every value, so parameters and schedulers cannot be given beside it"));
        }
        ConfigText text = ConfigText.of(spaces.families(), request.config());
        try {
            return new AskedConfig(spaces, text.family(request.family()), text.words());
        } catch (IllegalArgumentException two) {
            faults.add(new Fault(POINTER, String.valueOf(two.getMessage())));
            return new AskedConfig(spaces, request.family(), text.words());
        }
    }

    /**
     * The restriction to the config; the given one if none is named. A job has one for all its problems, and the spaces
     * of these may lack parameters of it, with the value that their absence means.
     */
    SpaceRestriction restricting(
            SpaceRestriction restriction,
            FamilySpace chosen,
            List<AskedProblems.Pointed<Problem>> problems,
            int smCount,
            List<Fault> faults) {
        if (words == null) {
            return restriction;
        }
        List<Read> read = new ArrayList<>();
        try {
            for (AskedProblems.Pointed<Problem> problem : problems) {
                AskedSpace space = spaces.asked(problem.value(), chosen.family(), smCount);
                Config config = space.read(words);
                space.only(config);
                read.add(new Read(problem.value().shapes(), space, config));
            }
        } catch (IllegalArgumentException wrong) {
            faults.add(new Fault(POINTER, String.valueOf(wrong.getMessage())));
            return restriction;
        }
        Config one = read.stream().map(Read::config).reduce(Config.of(Map.of()), AskedConfig::both);
        Optional<Read> other = read.stream().filter(each -> !each.isOf(one)).findFirst();
        if (other.isEmpty()) {
            return new SpaceRestriction(Map.of(), restriction.full(), one);
        }
        Read differing = other.get();
        String beside = read.stream()
                .filter(each -> !differing.isOf(both(each.config(), differing.config())))
                .map(Read::shapes)
                .findFirst()
                .orElseThrow();
        faults.add(new Fault(
                POINTER,
                "configs of " + beside + " and of " + differing.shapes()
                        + " have different parameters: give each of them a job of its own"));
        return restriction;
    }

    /**
     * The text as one problem reads it.
     *
     * @param config under the name that a search of the problem gives it
     */
    private record Read(String shapes, AskedSpace space, Config config) {

        /** Whether it is this kernel, whose name may have more parameters. */
        boolean isOf(Config kernel) {
            return space.named(kernel).equals(config);
        }
    }

    /** All values of the first, and those of the second for parameters that the first lacks. */
    private static Config both(Config first, Config second) {
        Map<String, ParameterValue> values = new HashMap<>(second.values());
        values.putAll(first.values());
        return Config.of(values);
    }
}
