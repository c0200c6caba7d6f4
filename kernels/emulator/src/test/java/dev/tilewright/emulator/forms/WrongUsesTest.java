package dev.tilewright.emulator.forms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.Ptxas;
import dev.tilewright.ptx.parse.PtxParseException;
import dev.tilewright.ptx.parse.PtxParser;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Wrong uses of what is executed, and what is no instruction, are no valid PTX, for the assembler and for us. */
class WrongUsesTest {
    private static final FormList WRONG = FormList.read("wrong", "sm_100a");

    @Test
    void eachIsNoValidPtx() {
        List<String> taken = new ArrayList<>();
        for (String instruction : WRONG.instructions()) {
            try {
                PtxParser.parse(FormList.module(WRONG.target(), instruction));
                taken.add(instruction + "    is read");
            } catch (PtxParseException refused) {
                if (refused.problems().getFirst().unsupported()) {
                    taken.add(instruction + "    unsupported: " + refused.getMessage());
                }
            }
        }
        assertThat(taken).isEmpty();
    }

    /** One by one, because an error hides others. */
    @Test
    void theAssemblerTakesNone() throws Exception {
        for (String instruction : WRONG.instructions()) {
            assertThat(Ptxas.refusal(FormList.module(WRONG.target(), instruction), WRONG.target()))
                    .as(instruction)
                    .isPresent();
        }
    }
}
