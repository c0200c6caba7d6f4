package dev.tilewright.worker.cli;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.gemm.GemmFamily;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.reader.LaunchReader;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.LibraryVersion;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.proof.export.KernelExport;
import dev.tilewright.proof.export.LibraryExport;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.worker.cli.export.ExportFolder;
import dev.tilewright.worker.cli.export.StudyRecord;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of trials that a service has.
 *
 * @param records whether the trials that a kernel was chosen from are wanted, too
 */
record StoredKernels(Connection connection, GemmFamilies families, boolean records) {

    /** As many as a page of the service may have. */
    private static final int PAGE = 500;

    /** A page of trials. */
    record Page(List<TrialDocument> items, @Nullable String next) {}

    /** A trial with the study that it is of. */
    record TrialOfStudy(@JsonUnwrapped TrialDocument trial, UUID studyId) {}

    /**
     * The kernel of a trial, as it was tried.
     *
     * @param asked problem that it must be of; empty for any
     * @throws CommandFailedException if there is no such trial, it did not complete, or its kernel cannot be had
     */
    ExportFolder.Kernel of(UUID id, Optional<Problem> asked) throws InterruptedException, ApiRefusedException {
        TrialOfStudy found = connection.send(api -> api.get("/api/v1/trials/" + id, TrialOfStudy.class));
        TrialDocument trial = found.trial();
        StudyDocument study =
                connection.send(api -> api.get("/api/v1/studies/" + found.studyId(), StudyDocument.class));
        Problem problem = study.problem().problem();
        if (asked.isPresent() && !asked.get().equals(problem)) {
            throw CommandFailedException.usage(
                    "--trial: " + id + " is of " + study.problem() + ", not of " + ProblemDocument.of(asked.get()));
        }
        if (trial.outcome() != TrialOutcome.COMPLETED || study.testbed() == null) {
            throw new CommandFailedException(
                    ExitCode.NEGATIVE,
                    "--trial: " + id + (trial.outcome() == null ? " is not finished" : " ended " + trial.outcome())
                            + ": only a completed trial is exported");
        }
        List<String> notes = notes(found, study.testbed());
        if (Families.standard().isInstalled(trial.family())) {
            return new ExportFolder.OfLibrary(
                    ofLibrary(trial, problem, study.testbed()), notes, recorded(found.studyId(), study));
        }
        Optional<byte[]> ptx = file(id, "ptx");
        Optional<byte[]> launch = file(id, "launch");
        KernelExport export = ptx.isPresent() && launch.isPresent()
                ? stored(trial, problem, study.testbed(), text(ptx.get()), text(launch.get()))
                : rebuilt(trial, problem, study.testbed());
        return new ExportFolder.Text(export, notes, file(id, "cubin"), recorded(found.studyId(), study));
    }

    private Optional<StudyRecord> recorded(UUID id, StudyDocument study)
            throws InterruptedException, ApiRefusedException {
        return records
                ? Optional.of(new StudyRecord(
                        id.toString(), study.problem().toString(), Objects.requireNonNull(study.testbed()), trials(id)))
                : Optional.empty();
    }

    private static LibraryExport ofLibrary(TrialDocument trial, Problem problem, Testbed testbed) {
        LibraryVersion library = LibraryVersion.in(trial.log())
                .orElseThrow(() -> new CommandFailedException(
                        ExitCode.NEGATIVE,
                        "--trial: the log of " + trial.id() + " does not say which version of the library it ran on"));
        try {
            return LibraryExport.of(
                    title(testbed, trial.family(), trial.config()), problem, trial.config(), library.number());
        } catch (IllegalArgumentException impossible) {
            throw new CommandFailedException(
                    ExitCode.NEGATIVE, "--trial: " + trial.id() + " cannot be exported: " + impossible.getMessage());
        }
    }

    private List<TrialDocument> trials(UUID study) throws InterruptedException, ApiRefusedException {
        List<TrialDocument> trials = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            String query = "?limit=" + PAGE + (cursor.isEmpty() ? "" : "&cursor=" + cursor);
            Page page = connection.send(api -> api.get("/api/v1/studies/" + study + "/trials" + query, Page.class));
            trials.addAll(page.items());
            cursor = page.next();
        }
        return trials;
    }

    private Optional<byte[]> file(UUID id, String file) throws InterruptedException, ApiRefusedException {
        try {
            return Optional.of(connection.send(api -> api.bytes("/api/v1/trials/" + id + "/" + file)));
        } catch (ApiRefusedException refused) {
            if (refused.status() == 404) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static KernelExport stored(
            TrialDocument trial, Problem problem, Testbed testbed, String ptx, String launch) {
        try {
            LaunchDescription described = LaunchReader.described(launch);
            return KernelExport.of(
                    title(testbed, trial.family(), trial.config()), ptx, problem, described, testbed.smCount());
        } catch (IllegalArgumentException unknown) {
            throw CommandFailedException.infrastructure("the launch of trial " + trial.id()
                    + " is not one that this program reads: " + unknown.getMessage());
        }
    }

    private static String title(Testbed testbed, String family, Config config) {
        return (testbed.kind() == TestbedKind.CUDA ? "" : testbed.kind() + ", never measured: ") + family + " "
                + config.canonical();
    }

    /** Of before kernels were kept: the same text is built again, or none. */
    private KernelExport rebuilt(TrialDocument trial, Problem problem, Testbed testbed) {
        try {
            GemmFamily family = families.named(trial.family());
            KernelExport export = KernelExport.of(family, problem, trial.config(), DeviceLimits.of(testbed.smCount()))
                    .entitled(title(testbed, trial.family(), trial.config()));
            if (trial.ptxHash() == null || Sha256.hex(export.ptx()).equals(trial.ptxHash())) {
                return export;
            }
            throw new IllegalArgumentException("this program builds another text of its config");
        } catch (IllegalArgumentException other) {
            throw new CommandFailedException(
                    ExitCode.NEGATIVE,
                    "--trial: the service has not kept the kernel of " + trial.id() + ", and " + other.getMessage());
        }
    }

    private static List<String> notes(TrialOfStudy found, Testbed testbed) {
        TrialDocument trial = found.trial();
        List<String> notes = new ArrayList<>();
        notes.add("trial " + trial.id() + " of study " + found.studyId());
        String rate = trial.tflops() == null ? "" : String.format(Locale.ROOT, "%.1f TFLOP/s on ", trial.tflops());
        String where = testbed.device() + ", driver " + testbed.driver() + ", " + testbed.assembler() + ", "
                + testbed.smCount() + " SMs, clocks " + testbed.clockPolicy();
        notes.add(
                switch (testbed.kind()) {
                    case CUDA -> "measured: " + rate + where;
                    case SIMULATED -> "simulated, never measured: predicted " + rate + "a model of " + testbed.device();
                    case EMULATED -> "emulated: proved on " + testbed.device() + ", never measured";
                });
        return notes;
    }
}
