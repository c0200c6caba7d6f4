package dev.tilewright.worker.cli.gate;

import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.cli.gate.file.GateFileReader;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Another commit of the user's repository; its checkout is made when it is needed. */
final class OtherCommit implements AutoCloseable {

    private static final int SHOWN_DIGITS = 12;

    private final Repository repository;
    private final String hash;
    private final String fileName;
    private final PrintStream notices;
    private @Nullable OtherCheckout checkout;
    private @Nullable Optional<GateFile> asItWas;

    /** @param fileName of {@code tilewright.yaml} in its folder */
    OtherCommit(Repository repository, String hash, String fileName, PrintStream notices) {
        this.repository = repository;
        this.hash = hash;
        this.fileName = fileName;
        this.notices = notices;
    }

    /** The first digits of its hash. */
    String shown() {
        return hash.substring(0, SHOWN_DIGITS);
    }

    /** Its gate file; empty if there was none or if today's rules refuse it. */
    Optional<GateFile> file() throws InterruptedException {
        if (asItWas == null) {
            try {
                asItWas = repository
                        .file(hash, fileName)
                        .map(said -> GateFileReader.read(shown() + ":" + fileName, said));
            } catch (CommandFailedException refused) {
                notices.println(refused.getMessage() + "; the file of that commit counts as none");
                asItWas = Optional.empty();
            }
        }
        return asItWas;
    }

    /** Whether it has a file, from the folder of {@code tilewright.yaml}. */
    boolean has(String path) throws InterruptedException {
        return repository.file(hash, path).isPresent();
    }

    /** The folder in which its {@code tilewright.yaml} lies, or would. */
    Path folder() throws InterruptedException {
        if (checkout == null) {
            notices.println("checking " + shown() + " out");
            checkout = OtherCheckout.of(repository, hash);
        }
        return checkout.folder();
    }

    @Override
    public void close() {
        if (checkout != null) {
            checkout.close();
        }
    }
}
