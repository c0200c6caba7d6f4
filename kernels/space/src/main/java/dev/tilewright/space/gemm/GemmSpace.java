package dev.tilewright.space.gemm;

import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.TileOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A family whose kernels we build: their grids may have fewer CTAs than fit, and their text has an epilogue. */
public interface GemmSpace extends FamilySpace {

    /** The inputs of 8 bits that share a scale, which is the problem's; a config need not say that all do. */
    Key<Scales> SCALES = Key.named("scales", Scales.class).or(Scales.TENSOR);

    /** The steps between the scaled sums and D, which are the problem's; a config need not say that there are none. */
    Key<Epilogue> EPILOGUE = new Key<>(
            "epilogue",
            value -> Epilogue.parse(value.toString()),
            epilogue -> ParameterValue.of(epilogue.toString()),
            Optional.of(Epilogue.NONE));

    /**
     * The parameters, and behind them those that the problem leaves unsaid: each has the value alone that its absence
     * means, which a config may as well name. No epilogue has no name.
     *
     * @param text keys of the family that decide the text
     */
    static List<Parameter> withUnsaid(List<Parameter> parameters, List<Key<?>> text) {
        Set<String> names = parameters.stream().map(Parameter::name).collect(Collectors.toSet());
        Stream<Parameter> unsaid = Stream.of(
                        text.stream().flatMap(key -> key.unsaid(Parameter.Kind.TEXT).stream()),
                        SCALES.unsaid(Parameter.Kind.TEXT).stream(),
                        TileOrder.KEY.unsaid(Parameter.Kind.LAUNCH).stream())
                .flatMap(each -> each)
                .filter(parameter -> names.add(parameter.name()));
        return Stream.concat(parameters.stream(), unsaid).toList();
    }

    /**
     * The parameters in an order in which rules cut early, and in which a seed draws the same configs.
     *
     * @param early names in their order; all other parameters come behind
     */
    static List<Parameter> inOrder(List<String> early, Stream<Parameter> parameters) {
        return parameters
                .sorted(Comparator.comparingInt(parameter -> rank(early, parameter)))
                .toList();
    }

    private static int rank(List<String> early, Parameter parameter) {
        int index = early.indexOf(parameter.name());
        return index < 0 ? early.size() : index;
    }

    @Override
    default Config fillingTheGpu(Config config) {
        return config.has(GridSize.PARAMETER)
                ? config.with(GridSize.PARAMETER, ParameterValue.of(GridSize.ALL_RESIDENT))
                : config;
    }
}
