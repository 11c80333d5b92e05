"""Openings and winning boards: may exactly this be laid, and what can a rack do?"""
