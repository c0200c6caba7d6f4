package dev.tilewright.proof.file;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Finding;
import dev.tilewright.emulator.run.Buffer;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.Launching;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.emulator.run.Statistics.Taken;
import dev.tilewright.emulator.run.UnfitLaunchException;
import dev.tilewright.emulator.run.UnsupportedKernelException;
import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.KernelParameter;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.proof.compare.Compared;
import dev.tilewright.proof.compare.Comparer;
import dev.tilewright.proof.compare.Contents;
import dev.tilewright.proof.emulation.AcceptedFinding;
import dev.tilewright.proof.emulation.Effort;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.emulation.Rings;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.Statement;
import dev.tilewright.ptx.parse.ParsedModule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs a kernel with one seed after the other, until one run is wrong or all were right. */
final class FileCheck {

    private static final String NOTHING_STORED =
            "no byte of any buffer has changed: a kernel that stores nothing shows nothing";

    private final ParsedModule parsed;
    private final FileSubject subject;
    private final CheckOptions options;
    private final boolean cancels;
    private Effort effort = Effort.NONE;
    private Rings rings = Rings.NONE;
    private Compared compared = Compared.NOTHING;
    private List<AcceptedFinding> accepted = List.of();
    private boolean stored;
    private long last;
    private Map<String, byte[]> memory = Map.of();
    private List<Taken> taken = List.of();

    FileCheck(ParsedModule parsed, FileSubject subject, CheckOptions options) {
        this.parsed = parsed;
        this.subject = subject;
        this.options = options;
        cancels = cancels(parsed.module(), subject.entry());
    }

    /** @throws MisfitException if the launch does not fit the kernel */
    FileCheckResult run() {
        FileVerdict verdict = verdict();
        return new FileCheckResult(verdict, last, taken, memory);
    }

    private FileVerdict verdict() {
        EntryRules.require(parsed.module(), subject.entry(), subject.launch());
        PtxEmulator emulator;
        try {
            emulator = new PtxEmulator(parsed, subject.entry().name());
        } catch (UnsupportedKernelException unknown) {
            return new FileVerdict.Unsupported(unknown.instructions().stream()
                    .map(instruction -> subject.ptx() + ": " + instruction)
                    .toList());
        }
        EntryRules.requireShared(
                subject.entry(), emulator.staticShared(), subject.launch().dynamicShared());
        ProofPlan plan = subject.plan();
        boolean varies = subject.launch().buffers().stream()
                .anyMatch(buffer -> buffer.fill().varies());
        Map<String, byte[]> contents = contents(plan.seed());
        for (long seed = plan.seed(); seed < plan.seed() + plan.seeds(); seed++) {
            if (varies && seed > plan.seed()) {
                contents = contents(seed);
            }
            RunEnd verdict = run(emulator, launch(contents), seed);
            last = seed;
            memory = verdict.memory();
            taken = verdict.statistics().taken();
            effort = effort.plus(verdict.statistics());
            switch (verdict) {
                case RunEnd.Faulted faulted -> {
                    Map<Boolean, List<Finding>> parts = faulted.findings().stream()
                            .collect(Collectors.partitioningBy(finding ->
                                    finding.rule().passes(subject.plan().accepted())));
                    accepted = AcceptedFinding.with(accepted, seed, parts.getOrDefault(true, List.of()));
                    return new FileVerdict.Hazardous(seed, parts.getOrDefault(false, List.of()), effort, accepted);
                }
                case RunEnd.Completed completed -> {
                    accepted = AcceptedFinding.with(accepted, seed, completed.accepted());
                    stored |= hasStored(contents, completed.memory());
                    rings = rings.orDeeper(Rings.of(completed.statistics()));
                    compared = compared.and(new Comparer(subject.launch(), contents, completed.memory()).run());
                    if (compared.mismatch().isPresent()) {
                        return new FileVerdict.Wrong(seed, compared.mismatch().get(), effort, accepted);
                    }
                }
            }
        }
        List<String> lacking = new ArrayList<>(rings.lacking());
        if (!stored) {
            lacking.add(NOTHING_STORED);
        }
        return lacking.isEmpty()
                ? new FileVerdict.Proved(effort, rings, compared, accepted)
                : new FileVerdict.Shallow(effort, rings, compared, lacking, accepted);
    }

    /**
     * Whether a run has left something in a buffer. A kernel that stores what lay there before cannot be told from one
     * that stores nothing. A buffer of fields begins with addresses of its own, and says nothing.
     */
    private boolean hasStored(Map<String, byte[]> before, Map<String, byte[]> after) {
        return subject.launch().buffers().stream()
                .filter(buffer -> !(buffer.fill() instanceof Fill.Fields))
                .map(BufferDescription::name)
                .anyMatch(name -> !Arrays.equals(before.get(name), after.get(name)));
    }

    private Options options(long seed) {
        boolean rough = cancels && Math.floorMod(seed, 4) >= 2;
        return new Options(subject.plan().sms(), seed, options.stepLimit())
                .withAccepted(subject.plan().accepted())
                .withLaunching(rough ? Launching.rough() : Launching.PROMPT);
    }

    /** Whether a kernel takes over clusters: then half of the seeds have all that may delay their launch. */
    private static boolean cancels(PtxModule module, Entry entry) {
        return Stream.concat(
                        entry.body().stream(),
                        module.functions().stream().flatMap(function -> function.body().stream()))
                .map(statement -> statement instanceof Statement.Guarded guarded ? guarded.instruction() : statement)
                .anyMatch(ClusterLaunchControl.TryCancel.class::isInstance);
    }

    private RunEnd run(PtxEmulator emulator, Launch launch, long seed) {
        ProofPlan plan = subject.plan();
        int run = (int) (seed - plan.seed()) + 1;
        try {
            return emulator.run(
                    launch, options(seed), steps -> options.progress().at(run, plan.seeds(), seed, steps));
        } catch (UnfitLaunchException unfit) {
            throw new MisfitException(String.valueOf(unfit.getMessage()), unfit);
        }
    }

    private Map<String, byte[]> contents(long seed) {
        Map<String, byte[]> contents = new LinkedHashMap<>();
        subject.launch().buffers().forEach(buffer -> contents.put(buffer.name(), Contents.of(buffer, seed)));
        return contents;
    }

    private Launch launch(Map<String, byte[]> contents) {
        LaunchDescription described = subject.launch();
        List<Buffer> buffers = described.buffers().stream()
                .map(buffer -> buffer(buffer, contents))
                .toList();
        return new Launch(
                subject.entry().name(),
                Arguments.extents(described.grid()),
                Arguments.extents(described.block()),
                Arguments.extents(subject.cluster()),
                described.dynamicShared(),
                Arguments.of(described.parameters()),
                buffers,
                described.launchOverlap());
    }

    private static Buffer buffer(BufferDescription described, Map<String, byte[]> contents) {
        byte[] content = contents.getOrDefault(described.name(), new byte[0]);
        boolean initialised = !(described.fill() instanceof Fill.Uninitialised);
        if (described.fill() instanceof Fill.Fields(List<KernelParameter.Field> fields)) {
            byte[] laid = content.clone();
            return new Buffer(described.name(), laid, described.guard(), true, Arguments.lay(fields, laid));
        }
        return new Buffer(described.name(), content, described.guard(), initialised);
    }
}
