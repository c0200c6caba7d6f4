package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.client.ProblemDetail;
import dev.tilewright.worker.link.command.CommandFailedException;
import org.junit.jupiter.api.Test;

class FaultsTest {

    /** A user who types a command sends no header. */
    @Test
    void aTokenThatIsMissingIsAskedForByItsOption() {
        CommandFailedException failure = Faults.asSaid(new ApiRefusedException(
                401,
                new ProblemDetail(
                        "no token",
                        401,
                        "send 'Authorization: Bearer <token>' with a token of the role reader, submitter or operator",
                        null)));
        assertThat(failure)
                .hasMessage("the service asks for a token: name its file with --token @FILE, or set TILEWRIGHT_TOKEN");
        assertThat(failure.details()).containsExactly("it needs the role reader, submitter or operator");
    }
}
