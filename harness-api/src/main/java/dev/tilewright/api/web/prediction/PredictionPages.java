package dev.tilewright.api.web.prediction;

import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Suggestion;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.Predictions;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Pages with the configs that a model would try first for a shape. */
@Controller
final class PredictionPages {

    private static final int TOP = 12;

    private final Families families;

    PredictionPages(StudySpaces spaces) {
        this.families = spaces.families();
    }

    /** A config with its prediction. */
    record Pick(
            int rank,
            String config,
            String settings,
            String rate,
            String time,
            String clock,
            String busy,
            String limit) {}

    @GetMapping("/predict")
    String predict(
            @RequestParam(defaultValue = "4096x4096x4096") String shape,
            @RequestParam(defaultValue = "bf16") String dtype,
            @RequestParam(defaultValue = "h200") String gpu,
            Model model) {
        picks(shape, dtype, gpu, model);
        model.addAttribute("gpus", DeviceSelector.SIMULATED_GPUS);
        model.addAttribute(
                "types", Arrays.stream(DataType.values()).map(Object::toString).toList());
        return "predict";
    }

    /** The part that is fetched while the user types. */
    @GetMapping("/predict/picks")
    String picksAlone(@RequestParam String shape, @RequestParam String dtype, @RequestParam String gpu, Model model) {
        picks(shape, dtype, gpu, model);
        return "predict :: picks";
    }

    /** A shape that is not yet typed in full is no failure: the page says what is missing. */
    private void picks(String shape, String dtype, String gpu, Model model) {
        model.addAttribute("shape", shape);
        model.addAttribute("dtype", dtype);
        model.addAttribute("gpu", gpu);
        model.addAttribute("fault", "");
        model.addAttribute("picks", List.of());
        model.addAttribute("legend", Map.of());
        model.addAttribute("model", "the model " + gpu);
        try {
            Problem problem = Problem.of(Suggestion.readShape(shape.strip()), DataType.parse(dtype));
            GpuConstants constants = SimulatedGpus.named(gpu);
            FamilySpace family = Predictions.family(families, constants);
            Predictions found = Predictions.of(family, problem, constants, Map.of(), TOP);
            ConfigWords words = ConfigWords.of(
                    families,
                    found.family(),
                    found.configs().stream().map(Predictions.Pick::config).toList());
            model.addAttribute("model", Figures.model(found.device(), found.version()));
            model.addAttribute(
                    "picks",
                    found.configs().stream()
                            .map(pick -> new Pick(
                                    pick.rank(),
                                    words.brief(pick.config()),
                                    pick.settings(),
                                    Figures.tflops(pick.tflops()),
                                    Figures.us(pick.us() * 1e3),
                                    Figures.megahertz(pick.clockMhz()),
                                    Figures.percent(pick.smShare()),
                                    pick.limit()))
                            .toList());
            model.addAttribute(
                    "legend",
                    words.legend(found.configs().stream()
                            .map(Predictions.Pick::config)
                            .toList()));
        } catch (IllegalArgumentException wrong) {
            model.addAttribute("fault", Suggestion.to(String.valueOf(wrong.getMessage())));
        }
    }
}
