package dev.tilewright.api.platform.backup;

import dev.tilewright.api.platform.process.ServeEnvironment;
import dev.tilewright.api.testing.VerbOptions;
import java.io.IOException;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BackupVerbsTest {

    private static final ServeEnvironment ASKED = ServeEnvironment.of(Map.of());

    @Test
    void theCommandLineKnowsTheOptionsOfBackup() throws IOException {
        VerbOptions.assertKnown("backup", new CommandLine(new BackupCommand(ASKED, Clock.systemUTC())));
    }

    @Test
    void theCommandLineKnowsWhatRestoreTakes() throws IOException {
        VerbOptions.assertKnown("restore", new CommandLine(new RestoreCommand(ASKED)));
    }
}
