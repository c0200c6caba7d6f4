package dev.tilewright.api.family;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kernel family.
 *
 * @param architecture of the only GPUs that run it, such as {@code sm90}; {@code null} if all do
 * @param refusal why it cannot compute the problem; {@code null} if it can
 * @param parameters of its configs for the problem; none if it cannot compute it
 */
record FamilyDocument(
        String name,
        @Nullable String architecture,
        @Nullable String refusal,
        List<Values> parameters) {

    /**
     * The values of a parameter.
     *
     * @param usual the values that are tried unless a job asks for others
     */
    record Values(String name, List<ParameterValue> values, List<ParameterValue> usual) {

        static Values of(Parameter parameter) {
            return new Values(parameter.name(), parameter.values(), parameter.usual());
        }
    }

    static FamilyDocument of(FamilySpace family, Problem problem, DeviceLimits device) {
        String refusal = family.refusal(problem).orElse(null);
        return new FamilyDocument(
                family.family(),
                family.architecture().map(Architecture::toString).orElse(null),
                refusal,
                refusal != null
                        ? List.of()
                        : family.space(problem, device).parameters().stream()
                                .map(Values::of)
                                .toList());
    }
}
