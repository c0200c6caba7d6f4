package dev.tilewright.worker.cli.bundle;

import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleException;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * {@code bundle record}: runs the host program of a bundle for some problems, and writes the bundle as a zip with what
 * it prints in its place.
 *
 * @param folder of the bundle
 * @param helper the program that may run
 * @param sms numbers of SMs that it is told
 */
record LaunchRecording(Path folder, String helper, List<String> shapes, List<Integer> sms, Printer out) {

    void write(Path zip) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw CommandFailedException.usage(folder + ": must be the folder of a bundle, in which its program lies");
        }
        try {
            Bundle bundle = Bundle.read(BundleFiles.read(folder));
            List<Problem> problems = shapes.stream()
                    .map(shape -> BundleCheckOptions.problem(bundle.problem(), shape))
                    .toList();
            Bundle recorded = bundle.recorded(
                    problems, sms, new HostPrograms(folder, Optional.of(helper), HostPrograms.USUAL_LIMIT));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            recorded.files().zip(bytes);
            Json.writeAtomically(zip, bytes.toByteArray());
            out.println(
                    zip + ": " + recorded.family() + " (sha256 " + recorded.hash() + "), " + recorded.launchesRecorded()
                            + " launches of " + helper + " for " + shapes + " at " + sms + " SMs");
        } catch (BundleException wrong) {
            throw CommandFailedException.usage(folder + ": " + wrong.getMessage(), wrong);
        }
    }
}
