package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.decision.GateRule;
import dev.tilewright.gate.decision.RunDecision;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.GateFileReader;
import dev.tilewright.worker.cli.gate.file.ProgramEntry;
import dev.tilewright.worker.cli.program.ComparedProgram;
import dev.tilewright.worker.cli.program.ProgramComparison;
import dev.tilewright.worker.cli.program.ProgramFault;
import dev.tilewright.worker.cli.program.RunCommand;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The programs of a file, each beside itself at its baseline's commit, on this machine. The program of that commit is
 * that of its own file, in a checkout of it; a pack that git does not keep there is that of the caller's checkout. A
 * program that the file of that commit does not have is compared with itself without its pack.
 */
final class ProgramCases implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(15);
    private static final String VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";

    private final GateFile file;
    private final Path folder;
    private final DeviceSelector device;
    private final Map<String, String> environment;
    private final PrintStream notices;
    private final Map<String, OtherCommit> commits = new HashMap<>();
    private final List<ProgramPlan> plans = new ArrayList<>();

    /**
     * Finds the baselines, and tells where a pack is not that of its commit.
     *
     * @param path of {@code tilewright.yaml}
     * @param device that the run is for
     * @param environment of this process, which the programs get too
     * @throws CommandFailedException if a program could not be compared: its baseline is no commit here, or a folder is
     *     no pack
     */
    ProgramCases(GateFile file, Path path, DeviceSelector device, Map<String, String> environment, PrintStream notices)
            throws InterruptedException {
        this.file = file;
        this.folder = GateFileReader.folder(path);
        this.device = device;
        this.environment = environment;
        this.notices = notices;
        if (!file.programs().isEmpty()) {
            String name = path.getFileName().toString();
            Repository repository = Repository.of(folder)
                    .orElseThrow(() -> CommandFailedException.usage(
                            name + " is in no git repository, so its baseline cannot be a commit of one"));
            for (ProgramEntry entry : file.programs()) {
                plans.add(plan(entry, repository, name));
            }
        }
    }

    private ProgramPlan plan(ProgramEntry entry, Repository repository, String name) throws InterruptedException {
        String hash = repository.commit(entry.baseline());
        OtherCommit commit = commits.computeIfAbsent(hash, _ -> new OtherCommit(repository, hash, name, notices));
        ProgramPlan plan = new ProgramPlan(
                entry,
                commit,
                commit.file().flatMap(was -> was.program(entry.name())),
                repository.prefix() + name + ":" + entry.line());
        requirePack(entry);
        Optional<String> pack = plan.packOutsideOfGit();
        if (pack.isPresent()) {
            notices.println("program '" + entry.name() + "': git has no " + pack.get() + " of " + commit.shown()
                    + ", so the baseline uses " + folder.relativize(packHere(plan, pack.get()))
                    + " of this checkout");
        }
        return plan;
    }

    /** A line for each, on how it would be compared. */
    List<String> lines() {
        return plans.stream()
                .map(plan -> "program " + plan.entry().name() + ": " + plan.words() + " beside " + plan.baseline()
                        + ", with " + plan.entry().time().toSeconds() + " s for their steps")
                .toList();
    }

    /** A run of them alone. No service knows it. */
    GateRun run(GateSubmission.Origin origin) throws InterruptedException {
        Instant began = Instant.now();
        List<CaseResult> results = results();
        GateRun none = new GateRun(
                UUID.randomUUID(),
                file.gate(),
                GateRun.State.FINISHED,
                origin.commit().orElse(null),
                origin.branch().orElse(null),
                device.toString(),
                null,
                null,
                null,
                List.of(),
                List.of(),
                null,
                0,
                null,
                null,
                0,
                GateRule.VERSION,
                null,
                null,
                began,
                Instant.now());
        return RunDecision.withPrograms(none, results);
    }

    /** Compares them, one after the other, and says of each how it went. No checkout is needed any more then. */
    List<CaseResult> results() throws InterruptedException {
        List<CaseResult> results = new ArrayList<>();
        try (this) {
            for (ProgramPlan plan : plans) {
                CaseResult result = result(plan);
                notices.println("program " + result.name() + ": " + result.verdict() + ", " + result.reason());
                results.add(result);
            }
        } catch (IOException failed) {
            throw CommandFailedException.infrastructure(
                    "the programs cannot be run: " + FileFault.reason(failed), failed);
        }
        return results;
    }

    private CaseResult result(ProgramPlan plan) throws InterruptedException, IOException {
        ProgramEntry entry = plan.entry();
        if (device instanceof DeviceSelector.Simulated) {
            return plan.untimed(
                    GateVerdict.INCONCLUSIVE, "a model runs no program: a gate of one needs a real GPU", List.of());
        }
        notices.println("program " + entry.name() + ": " + plan.nameOfBaseline() + " and " + ProgramPlan.HERE
                + " take turns, with " + entry.time().toSeconds() + " s for their steps");
        ProgramComparison comparison = new ProgramComparison(
                baseline(plan),
                new ComparedProgram(ProgramPlan.HERE, entry.run(), folder, entry.step(), requirePack(entry)),
                entry.warmUp(),
                entry.time(),
                PATIENCE,
                entry.margins(),
                true,
                ofDevice(),
                notices::println);
        try {
            return plan.timed(comparison.run());
        } catch (ProgramFault fault) {
            if (fault.kind() != ProgramFault.Kind.BROKEN || !fault.program().equals(ProgramPlan.HERE)) {
                return plan.untimed(GateVerdict.INCONCLUSIVE, fault.reason(), fault.printed());
            }
            return comparison
                    .excuse(fault)
                    .map(excuse ->
                            plan.untimed(GateVerdict.INCONCLUSIVE, fault.reason() + "; " + excuse, fault.printed()))
                    .orElseGet(() -> plan.untimed(GateVerdict.INVALID, fault.reason(), fault.printed()));
        }
    }

    /** The GPU of a number is the only one that its programs see. */
    private Map<String, String> ofDevice() {
        if (!(device instanceof DeviceSelector.Cuda(int ordinal))) {
            return environment;
        }
        Map<String, String> whole = new HashMap<>(environment);
        List<String> visible = Stream.of(
                        environment.getOrDefault(VISIBLE_DEVICES, "").split(","))
                .filter(name -> !name.isBlank())
                .toList();
        whole.put(VISIBLE_DEVICES, ordinal < visible.size() ? visible.get(ordinal) : Integer.toString(ordinal));
        return whole;
    }

    /** The pack of a program here. */
    private ComparedProgram.Pack requirePack(ProgramEntry entry) {
        if (entry.pack().isEmpty()) {
            return new ComparedProgram.Own();
        }
        Path pack = folder.resolve(entry.pack().get()).normalize();
        RunCommand.requirePack("program '" + entry.name() + "'", pack);
        return new ComparedProgram.Given(pack);
    }

    private ComparedProgram baseline(ProgramPlan plan) throws InterruptedException {
        ProgramEntry entry = plan.entry();
        if (plan.then().isEmpty()) {
            notices.println("program '" + entry.name() + "' is new since "
                    + plan.commit().shown() + ": this once it is compared with itself " + plan.nameOfBaseline());
            return new ComparedProgram(
                    plan.nameOfBaseline(),
                    entry.run(),
                    folder,
                    entry.step(),
                    entry.pack().isEmpty() ? new ComparedProgram.Own() : new ComparedProgram.Without());
        }
        ProgramEntry then = plan.then().get();
        Path checkout = plan.commit().folder();
        Optional<String> outside = plan.packOutsideOfGit();
        ComparedProgram.Pack pack;
        if (then.pack().isEmpty()) {
            pack = new ComparedProgram.Own();
        } else if (outside.isEmpty()) {
            pack = new ComparedProgram.Given(checkout.resolve(then.pack().get()));
        } else {
            pack = new ComparedProgram.Given(packHere(plan, outside.get()));
        }
        return new ComparedProgram(plan.nameOfBaseline(), then.run(), checkout, then.step(), pack);
    }

    /**
     * The pack of this checkout that stands for one of the baseline: that of the same folder, else that of the program.
     *
     * @throws CommandFailedException if this checkout has none
     */
    private Path packHere(ProgramPlan plan, String pack) {
        Path same = folder.resolve(pack).normalize();
        if (RunCommand.isPack(same)) {
            return same;
        }
        if (requirePack(plan.entry()) instanceof ComparedProgram.Given(Path now)) {
            return now;
        }
        throw CommandFailedException.usage(
                "program '" + plan.entry().name() + "': neither git nor this checkout has the pack " + pack + " of "
                        + plan.commit().shown() + ", so its baseline cannot be run; put it there once more");
    }

    @Override
    public void close() {
        commits.values().forEach(OtherCommit::close);
    }
}
