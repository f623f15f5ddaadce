// risks causing data races
final class Box {
    var number = 0
}

func race(_ box: Box) {
    Task.detached { box.number += 1 }
}
