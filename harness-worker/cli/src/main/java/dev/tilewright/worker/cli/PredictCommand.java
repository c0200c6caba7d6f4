package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.Predictions;
import dev.tilewright.simulator.RangePredictions;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.cli.board.Board;
import dev.tilewright.worker.cli.board.PredictionTable;
import dev.tilewright.worker.cli.board.RangeTable;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code predict}: the model's best configs at once, without a GPU, a service or a job. */
@Command(
        name = "predict",
        description =
                "Show the configs that the model of a GPU predicts to be fastest. Nothing is measured: no GPU and no"
                        + " service is needed.")
public final class PredictCommand implements Callable<Integer> {

    private static final String SIMULATED = "simulated:";
    private static final int MAX_TOP = 64;

    /** Of the M at which the table of a range is checked. */
    static final long SEED = 1;

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            completionCandidates = KnownNames.OfModels.class,
            description = "${COMPLETION-CANDIDATES} (default: the first).")
    private String device = "simulated:h200";

    @Option(
            names = "--family",
            paramLabel = "NAME",
            completionCandidates = KnownNames.OfFamilies.class,
            description = "Kernel family: ${COMPLETION-CANDIDATES} (default: the one that the GPU runs).")
    private @Nullable String family;

    @Option(
            names = BusySms.OPTION,
            paramLabel = "N[,N...]",
            description = "Numbers of SMs that others hold, such as 0,8,20 or 0-32/4 (default: 0).")
    private String busySms = "0";

    @Option(
            names = "--top",
            paramLabel = "N",
            description = "Configs to show of a shape, from 1 to 64 (default: 8). Of a range of M the table is shown.")
    private int top = 8;

    @Mixin
    private TableSizeOption size = new TableSizeOption();

    @Option(
            names = "--set",
            paramLabel = "NAME=V1[,V2...]",
            completionCandidates = KnownNames.OfParameters.class,
            description = "Only these values of a parameter, such as scheduler=static,atomic; repeatable."
                    + KnownNames.PARAMETERS)
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the predictions to this file in place of the table; - is standard output.")
    private @Nullable String json;

    private final Printer out;

    /** @param out results */
    public PredictCommand(Printer out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        if (top < 1 || top > MAX_TOP) {
            throw CommandFailedException.usage("--top: must be from 1 to " + MAX_TOP + ", got " + top);
        }
        GpuConstants gpu = Syntax.read("--device", device, PredictCommand::gpu);
        Families families = Families.standard();
        FamilySpace space = family == null
                ? Predictions.family(families, gpu)
                : Syntax.read("--family", family, name -> modelled(families, name));
        var wanted = Syntax.settings("--set", settings);
        ProblemOptions.Asked asked = problems.asked("", Optional.empty())
                .beside(Syntax.scenarios(
                        BusySms.OPTION, BusySms.parse(busySms), gpu.topology().smCount()));
        size.require(!asked.ranges().isEmpty());
        show(Stream.concat(
                        asked.singles().stream()
                                .map(named -> Syntax.read(
                                        named.option(), "", _ -> predicted(space, named.problem(), gpu, wanted))),
                        asked.ranges().stream()
                                .map(named -> Syntax.read(
                                        named.option(), "", _ -> ranged(space, named.problem(), gpu, wanted))))
                .toList());
        return ExitCode.OK.code();
    }

    private static FamilySpace modelled(Families families, String name) {
        FamilySpace named = families.named(name);
        if (!named.isModelled()) {
            throw new IllegalArgumentException(FamilySpace.noModel(name) + ": a GPU times them, by tune");
        }
        return named;
    }

    /**
     * An answer about a problem.
     *
     * @param document of {@code --json}
     */
    private record Said(Object document, Board board) {}

    private Said predicted(
            FamilySpace space, Problem problem, GpuConstants gpu, Map<String, List<ParameterValue>> wanted) {
        Predictions predictions = Predictions.of(space, problem, gpu, wanted, top);
        return new Said(predictions, new PredictionTable(predictions, problem));
    }

    private Said ranged(
            FamilySpace space, RangedProblem problem, GpuConstants gpu, Map<String, List<ParameterValue>> wanted) {
        RangePredictions predictions = RangePredictions.of(space, problem, gpu, wanted, size.most(), SEED);
        return new Said(predictions, new RangeTable(predictions, problem, options()));
    }

    /** The options beside problem, family and device, as they were given. */
    private String options() {
        return settings.stream().map(setting -> " --set " + setting).collect(Collectors.joining()) + size.again();
    }

    private void show(List<Said> said) throws IOException {
        if (json == null) {
            said.forEach(each -> out.show(each.board()));
            return;
        }
        List<Object> all = said.stream().map(Said::document).toList();
        byte[] text = Json.pretty().writeValueAsBytes(all.size() == 1 ? all.getFirst() : all);
        if (json.equals("-")) {
            out.copy(new String(text, StandardCharsets.UTF_8));
        } else {
            Path file = Path.of(json);
            Syntax.requireWritable("--json", file);
            Json.writeAtomically(file, text);
        }
    }

    private static GpuConstants gpu(String device) {
        if (!device.startsWith(SIMULATED)) {
            throw new IllegalArgumentException(
                    "must be a simulated GPU, such as simulated:h200: predict asks a model; to"
                            + " measure on a real one, use tune; got '" + device + "'");
        }
        return SimulatedGpus.named(device.substring(SIMULATED.length()));
    }
}
