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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

    /** The restriction to the config; the given one if none is named. A job has one for all its problems. */
    SpaceRestriction restricting(
            SpaceRestriction restriction,
            FamilySpace chosen,
            List<AskedProblems.Pointed<Problem>> problems,
            int smCount,
            List<Fault> faults) {
        if (words == null) {
            return restriction;
        }
        Map<Config, String> read = new LinkedHashMap<>();
        try {
            for (AskedProblems.Pointed<Problem> problem : problems) {
                AskedSpace space = spaces.asked(problem.value(), chosen.family(), smCount);
                Config config = space.read(words);
                space.only(config);
                read.putIfAbsent(config, problem.value().shapes());
            }
        } catch (IllegalArgumentException wrong) {
            faults.add(new Fault(POINTER, String.valueOf(wrong.getMessage())));
            return restriction;
        }
        List<String> shapes = List.copyOf(read.values());
        if (read.size() > 1) {
            faults.add(new Fault(
                    POINTER,
                    "configs of " + shapes.get(0) + " and of " + shapes.get(1)
                            + " have different parameters: give each of them a job of its own"));
            return restriction;
        }
        return new SpaceRestriction(values(read.keySet().iterator().next()), restriction.full());
    }

    private static Map<String, List<ParameterValue>> values(Config config) {
        Map<String, List<ParameterValue>> values = new LinkedHashMap<>();
        config.values().forEach((name, value) -> values.put(name, List.of(value)));
        return values;
    }
}
