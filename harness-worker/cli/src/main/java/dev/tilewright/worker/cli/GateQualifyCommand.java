package dev.tilewright.worker.cli;

import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.qualification.QualificationPage;
import dev.tilewright.gate.qualification.QualificationRun;
import dev.tilewright.gate.qualification.QualificationRun.Purpose;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.StopRule;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.text.Count;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.probe.DeviceProbe;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gate qualify}: how often a gate is wrong, and how often it is right, on this GPU. */
@Command(
        name = "qualify",
        description = "Measure how often a gate is wrong and how often it is right: a kernel beside itself, and beside"
                + " twins of it that take longer by a known part.",
        footer = {
            "",
            "KERNEL is what compare takes: a config 'NAME=V NAME=V ...', a trial's id, bundle:NAME, a folder or zip.",
            "Every case goes to DIR/blocks.jsonl as soon as it is over: what was stopped can be gone on with, under",
            "another --first-seed. DIR/qualification.md is written anew from all of them.",
            "Exit code: 0 with a page, 2 wrong usage, 4 no GPU or no service."
        })
public final class GateQualifyCommand extends ServiceVerb {

    private static final String BLOCKS = "blocks.jsonl";
    private static final String PAGE = "qualification.md";

    @Parameters(arity = "0..1", paramLabel = "KERNEL", description = "The kernel that is timed beside itself.")
    private @Nullable String kernel;

    @Mixin
    private ProblemOptions problems = new ProblemOptions();

    @Option(names = "--family", paramLabel = "NAME", description = "Family of a config without a bundle.")
    private @Nullable String family;

    @Option(names = "--equal", paramLabel = "N", description = "Cases with equal kernels (default: none).")
    private int equal;

    @Option(
            names = "--slowed",
            paramLabel = "PERCENT[,PERCENT...]",
            split = ",",
            description = "Cases with a twin that is slowed by so much, such as 0.5,1,2,5.")
    private List<Double> slowed = new ArrayList<>();

    @Option(names = "--runs", paramLabel = "N", description = "Cases of each slowed twin (default: ${DEFAULT-VALUE}).")
    private int runs = 20;

    @Option(
            names = "--truth",
            paramLabel = "N",
            description = "Time so many blocks of each slowed twin in another process, 2 to 10,000: its truth.")
    private @Nullable Integer truth;

    @Option(
            names = "--budget",
            paramLabel = "SECONDS",
            description = "Ask for no more cases after so long, and drop those that wait.")
    private @Nullable Integer budget;

    @Option(names = "--first-seed", paramLabel = "N", description = "Seed of the first case (default: 1).")
    private long firstSeed = 1;

    @Option(names = "--device", paramLabel = "DEVICE", description = "auto or cuda:N (default: ${DEFAULT-VALUE}).")
    private String device = "auto";

    @Option(names = "--to", paramLabel = "DIR", description = "Folder of the blocks and the page.")
    private @Nullable Path folder;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            arity = "1..*",
            description = "Time nothing: write the page from these blocks, such as those of several days.")
    private List<Path> from = new ArrayList<>();

    private final DeviceProbe probe;

    /**
     * @param out where the page is
     * @param err progress and notices
     */
    public GateQualifyCommand(Map<String, String> environment, DeviceProbe probe, PrintStream out, PrintStream err) {
        super(environment, out, err);
        this.probe = probe;
    }

    @Override
    public Integer call() throws ApiRefusedException, InterruptedException, IOException {
        if (folder == null) {
            throw CommandFailedException.usage("--to: is missing; name the folder of blocks and page");
        }
        Syntax.requireFolder("--to", folder);
        if (from.isEmpty()) {
            measure(folder.resolve(BLOCKS));
            if (!Files.exists(folder.resolve(BLOCKS))) {
                throw CommandFailedException.infrastructure("no case was timed");
            }
            page(folder, List.of(folder.resolve(BLOCKS)));
        } else {
            page(folder, from);
        }
        return ExitCode.OK.code();
    }

    private void page(Path to, List<Path> files) throws IOException {
        List<QualificationRun> all = new ArrayList<>();
        for (Path file : files) {
            all.addAll(new QualificationFile(file).read());
        }
        if (all.isEmpty()) {
            throw CommandFailedException.usage("no case is in " + files);
        }
        Path page = to.resolve(PAGE);
        Files.writeString(page, String.join("\n", QualificationPage.of(all)) + "\n", StandardCharsets.UTF_8);
        out.println(page + " from " + Count.of(all.size(), "run"));
    }

    private void measure(Path blocks) throws ApiRefusedException, InterruptedException, IOException {
        requireNumbers();
        ComparedKernel asked = ComparedKernel.read("KERNEL", kernel());
        Problem problem = problem(asked);
        String offered = CompareCommand.offered(device, service, probe, err);
        try (Connection connection = connect(offered)) {
            QualificationDesk desk = new QualificationDesk(
                    connection,
                    problem,
                    asked.request(family, connection),
                    device,
                    new QualificationFile(blocks),
                    budget == null ? null : Duration.ofSeconds(budget),
                    err);
            connection.onInterrupt(desk::stop);
            measure(desk);
            connection.onInterrupt(() -> {});
        }
    }

    /** Equal kernels first, then the twins, then the truth of each: with the wait that most of its cases had. */
    private void measure(QualificationDesk desk) throws ApiRefusedException, InterruptedException, IOException {
        int blocks = GateRule.STANDARD.looks().getLast();
        desk.run(asks(Purpose.CASE, 0, null, equal, blocks, firstSeed));
        List<QualificationDesk.Ask> truths = new ArrayList<>();
        for (double percent : slowed) {
            List<QualificationDesk.Ask> cases = slowed(desk, percent, blocks);
            Map<Long, Long> waits = cases.stream()
                    .collect(Collectors.groupingBy(
                            each -> Objects.requireNonNull(each.steps()), LinkedHashMap::new, Collectors.counting()));
            if (truth != null && !waits.isEmpty()) {
                long usual = Collections.max(waits.entrySet(), Map.Entry.comparingByValue())
                        .getKey();
                truths.addAll(asks(Purpose.TRUTH, percent, usual, 1, truth, firstSeed + runs));
            }
        }
        desk.run(truths);
    }

    /**
     * Cases of a twin. The wait is looked for on the operands of its cases, as a gate does it: where they lie in memory
     * decides what a wait does to a short launch.
     *
     * @return those that were asked for
     */
    private List<QualificationDesk.Ask> slowed(QualificationDesk desk, double percent, int blocks)
            throws ApiRefusedException, InterruptedException, IOException {
        List<QualificationDesk.Ask> asked = new ArrayList<>();
        for (long seed = firstSeed; seed < firstSeed + runs; ) {
            int count = (int) Math.min(QualificationDesk.casesOnTheDataOf(seed), firstSeed + runs - seed);
            Optional<Long> wait = desk.calibrate(percent, seed);
            if (wait.isPresent()) {
                List<QualificationDesk.Ask> cases = asks(Purpose.CASE, percent, wait.get(), count, blocks, seed);
                desk.run(cases);
                asked.addAll(cases);
            }
            seed += count;
        }
        return asked;
    }

    private static List<QualificationDesk.Ask> asks(
            Purpose purpose, double percent, @Nullable Long wait, int count, int blocks, long firstSeed) {
        List<QualificationDesk.Ask> asks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asks.add(new QualificationDesk.Ask(purpose, percent, wait, blocks, firstSeed + i));
        }
        return asks;
    }

    private String kernel() {
        if (kernel == null) {
            throw CommandFailedException.usage(
                    "KERNEL: is missing; name the kernel that is timed beside itself, or --from FILE");
        }
        return kernel;
    }

    private Problem problem(ComparedKernel asked) {
        asked.toUpload().map(BundleUpload::problem).ifPresent(problems::unlessGiven);
        List<ProblemOptions.Named> all = problems.problems("");
        if (all.size() != 1) {
            throw CommandFailedException.usage(
                    "--shape: a kernel is qualified on one problem at a time, got " + all.size());
        }
        return all.getFirst().problem();
    }

    private void requireNumbers() {
        Syntax.requirePositive("--runs", runs);
        Optional.ofNullable(truth)
                .ifPresent(blocks -> Syntax.read("--truth", blocks.toString(), _ -> {
                    StopRule.requireLooks(List.of(blocks));
                    return blocks;
                }));
        Syntax.requirePositive("--budget", budget);
        if (equal < 0 || equal == 0 && slowed.isEmpty()) {
            throw CommandFailedException.usage(
                    "--equal: nothing is asked for without --equal N or --slowed, got " + equal);
        }
        for (double percent : slowed) {
            if (!(percent > 0 && percent <= 100 * GpuTask.Side.Own.MOST_SLOWED)) {
                throw CommandFailedException.usage("--slowed: must be above 0 and at most "
                        + 100 * GpuTask.Side.Own.MOST_SLOWED + " percent, got " + percent);
            }
        }
    }
}
