package dev.tilewright.emulator.forms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.Ptxas;
import dev.tilewright.emulator.run.UnsupportedKernelException;
import dev.tilewright.ptx.Entry;
import dev.tilewright.ptx.parse.ParseError;
import dev.tilewright.ptx.parse.ParsedModule;
import dev.tilewright.ptx.parse.PtxParseException;
import dev.tilewright.ptx.parse.PtxParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each syntax line of the manual once, each of its types once: the assembler takes all of them, and each is executed or
 * ends as unsupported with its name. None is called no valid PTX.
 */
class ManualFormsTest {
    /** A text for a target that the emulator does not know is read as a text for this one. */
    private static final String KNOWN = "sm_100a";

    static Stream<FormList> lists() {
        return Stream.of(
                FormList.read("scalar", KNOWN),
                FormList.read("memory", KNOWN),
                FormList.read("control", KNOWN),
                FormList.read("copies", KNOWN),
                FormList.read("matrices", KNOWN),
                FormList.read("hopper", "sm_90a"),
                FormList.read("blackwell", KNOWN),
                FormList.read("consumer", "sm_120a"));
    }

    static Stream<String> modules() {
        return FormList.modules("directives").stream();
    }

    @ParameterizedTest
    @MethodSource("lists")
    void theAssemblerTakesEach(FormList list) throws Exception {
        Ptxas.assemble(list.module(), list.target());
    }

    @ParameterizedTest
    @MethodSource("lists")
    void eachIsExecutedOrNamedAsUnsupported(FormList list) {
        String target = list.target().equals("sm_120a") ? KNOWN : list.target();
        List<String> wrong = new ArrayList<>();
        for (String instruction : list.instructions()) {
            reason(FormList.module(target, instruction), FormList.mnemonic(instruction))
                    .ifPresent(reason -> wrong.add(instruction + "    " + reason));
        }
        assertThat(wrong).as(list.instructions().size() + " forms").isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modules")
    void theAssemblerTakesEachDirective(String module) throws Exception {
        Ptxas.assemble(module, KNOWN);
    }

    @ParameterizedTest
    @MethodSource("modules")
    void eachDirectiveIsReadOrNamedAsUnsupported(String module) {
        assertThat(reason(module, "")).as(module).isEmpty();
    }

    /** Why a text that the assembler takes is neither executed nor unsupported with its name. */
    private static Optional<String> reason(String text, String name) {
        try {
            ParsedModule parsed = PtxParser.parseLocated(text);
            for (Entry entry : parsed.module().entries()) {
                new PtxEmulator(parsed, entry.name());
            }
            return Optional.empty();
        } catch (UnsupportedKernelException unsupported) {
            return unsupported.instructions().stream().allMatch(site -> site.contains(name))
                    ? Optional.empty()
                    : Optional.of("not named: " + unsupported.instructions());
        } catch (PtxParseException unread) {
            return unread.problems().stream().allMatch(ParseError::unsupported)
                            && unread.problems().stream()
                                    .allMatch(problem -> problem.subject().contains(name))
                    ? Optional.empty()
                    : Optional.of("no valid PTX: " + unread.getMessage());
        } catch (RuntimeException broken) {
            return Optional.of("internal error: " + broken);
        }
    }
}
